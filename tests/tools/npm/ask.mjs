// Asks a server of the Model Context Protocol with one of two clients, and prints what they found as JSON.
//   node ask.mjs sdk|client '{"url", "token"} or {"command", "args", "env"}' '[{"name", "arguments"}]'
const [which, door, calls] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];

const load = {
  sdk: async () => ({
    ...(await import("@modelcontextprotocol/sdk/client/index.js")),
    ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
    ...(await import("@modelcontextprotocol/sdk/client/stdio.js")),
  }),
  client: async () => ({
    ...(await import("@modelcontextprotocol/client")),
    ...(await import("@modelcontextprotocol/client/stdio")),
  }),
};

async function asked() {
  const { Client, StreamableHTTPClientTransport, StdioClientTransport } = await load[which]();
  const transport = door.url
    ? new StreamableHTTPClientTransport(new URL(door.url), {
        requestInit: { headers: { Authorization: `Bearer ${door.token}` } },
      })
    : new StdioClientTransport({ command: door.command, args: door.args, env: door.env });
  const client = new Client({ name: "test", version: "1" }, door.modern ? { versionNegotiation: { mode: "auto" } } : {});
  await client.connect(transport);
  const { tools } = await client.listTools();
  const results = [];
  for (const call of calls) {
    try {
      results.push(await client.callTool(call));
    } catch (error) {
      results.push({ code: error.code, message: error.message });
    }
  }
  const version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  await client.close();
  return { server: client.getServerVersion(), version, tools: tools.map((tool) => tool.name), results };
}

console.log(JSON.stringify(await asked().catch((error) => ({ error: error.message }))));
