// Fetches the library of the provider `transformers` for test/cli/ai/transformers.test.ts, into .tools. It is half a
// gigabyte and optional, so the project itself does not depend on it. Its processor parts come in the package: the scripts
// that would fetch those of graphics cards are not run.
//   node scripts/transformers-library.mjs
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = '@huggingface/transformers@4.3.1'
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '.tools', 'transformers')

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', library], {
  cwd: folder,
  stdio: 'inherit',
})
