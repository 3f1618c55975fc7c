// Writes licenses.json: the packages whose code or styles are in the built files, with the text of their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

interface Licensed {
  name: string;
  version: string;
  license: string;
  texts: string[];
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
// Small helpers that the build tools add have names without a file.
const HELPER = /^\0(vite|rolldown)\//;
// Of the licences in Vite's file, all but the first are of packages that only build.
const OF_BUILDING = '# Licenses of bundled dependencies';

export function licenses(): Plugin {
  return {
    name: 'licenses',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') for (const id of chunk.moduleIds) files.add(id);
      }
      // Styles leave their chunk for a file of their own.
      for (const id of this.getModuleIds()) if (/\.css(\?|$)/.test(id)) files.add(id);
      const found = new Map<string, Licensed>();
      for (const id of files) {
        const file = id.replace(/\?.*$/s, '');
        const folder = packageOf(file);
        if (folder !== null) add(found, folder, file);
      }
      const sorted = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
      for (const one of sorted) if (one.texts.length === 0) this.error(`${one.name} has no licence text`);
      this.emitFile({ type: 'asset', fileName: 'licenses.json', source: JSON.stringify(sorted, null, 1) });
    },
  };
}

/** The folder of the package that a module belongs to; null for a module of this repository. */
function packageOf(file: string): string | null {
  const helper = HELPER.exec(file);
  if (helper !== null) return join('node_modules', helper[1]!);
  if (!file.includes('/node_modules/')) return null;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const described = join(folder, 'package.json');
    if (existsSync(described) && 'version' in JSON.parse(readFileSync(described, 'utf8'))) return folder;
  }
}

function add(found: Map<string, Licensed>, folder: string, file: string): void {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Licensed;
  const known = found.get(`${name}@${version}`) ?? { name, version, license, texts: textsIn(folder) };
  // What a package contains of others is listed beside its file.
  const beside = `${file}.LICENSE.txt`;
  if (existsSync(beside)) known.texts.push(readFileSync(beside, 'utf8').trim());
  found.set(`${name}@${version}`, known);
}

function textsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => LICENSE_FILE.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').split(OF_BUILDING)[0]!.trim());
}
