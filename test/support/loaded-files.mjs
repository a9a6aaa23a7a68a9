// Preloaded by start-up.test.ts: writes every file that the program loads, one a line, into the file named by LOADED_FILES.
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';

const hook = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED_FILES, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
process.on('exit', () => {
  for (const file of Object.keys(Module._cache)) appendFileSync(process.env.LOADED_FILES, `${file}\n`);
});
