// The built files go into the Python package, which serves them; git does not hold them.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { licenses } from './licenses.ts';

export default defineConfig({
  // Relative addresses: the server may live under any prefix, which it writes into <base>.
  base: './',
  plugins: [svelte(), licenses()],
  worker: { format: 'es' },
  build: {
    outDir: '../src/mergecast/api/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows files of our own and no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'docs.html'], checks: { bundlerTimings: false } },
    // Swagger UI is one large file, which only /docs loads.
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: true,
  },
  server: {
    proxy: { '/v1': process.env['MERGECAST_URL'] ?? 'http://127.0.0.1:8000' },
  },
});
