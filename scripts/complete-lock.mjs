// Completes package-lock.json: the address of every package at registry.npmjs.org, and the hash of each that has
// none yet, as far as the registry in use has it. npm leaves both out when it works with a mirror.
// `node scripts/complete-lock.mjs`
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const path = 'package-lock.json'
const lock = JSON.parse(readFileSync(path, 'utf8'))
const without = []
for (const [place, entry] of Object.entries(lock.packages)) {
  if (!place.includes('node_modules/') || entry.link === true) continue
  const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const file = `${name.slice(name.lastIndexOf('/') + 1)}-${entry.version}.tgz`
  entry.resolved = `https://registry.npmjs.org/${name}/-/${file}`
  entry.integrity ??= hashOf(`${name}@${entry.version}`)
  if (entry.integrity === undefined) without.push(`${name}@${entry.version}`)
  lock.packages[place] = ordered(entry)
}
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`)
for (const name of without) console.log(`no hash: the registry in use does not have ${name}`)

function hashOf(specifier) {
  const options = ['view', specifier, 'dist.integrity', '--loglevel=silent']
  const { status, stdout } = spawnSync('npm', options, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const hash = stdout.trim()
  return status === 0 && hash.startsWith('sha512-') ? hash : undefined
}

/** The order in which npm writes the members. */
function ordered({ version, resolved, integrity, ...others }) {
  return { version, resolved, ...(integrity !== undefined && { integrity }), ...others }
}
