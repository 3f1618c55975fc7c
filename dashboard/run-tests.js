// Runs the compiled tests in one process; `node --test` would start a process for each file.
import { readdirSync } from "node:fs";

const folder = new URL("node_modules/.tests/model/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
if (files.length === 0) throw new Error(`there is no test in ${folder.pathname}`);
for (const file of files) await import(new URL(file, folder).href);
