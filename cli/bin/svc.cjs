#!/usr/bin/env node
// npm links a command only if its file exists at install time, so this launcher is committed and the bundle
// that it starts is built. It starts the bundle with V8's code cache of an earlier start, which is stored
// beside the bundle if that folder is writable.
'use strict'
const {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { availableParallelism } = require('node:os')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

// Older versions fail somewhere in the bundle, in ways that do not name the reason. This file has only syntax that they read.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 17)) {
  process.stderr.write(`error: svc needs Node 20.17 or later, and this is Node ${process.versions.node}\n`)
  process.exit(3)
}

const bundle = join(__dirname, '..', 'dist', 'svc.cjs')

/** These use code for the warehouse, and have a cache of their own: all other commands would read 0.7 MB more at each start. */
const warehouseCommands = ['plan', 'run', 'preview', 'promote']
const usesWarehouse = warehouseCommands.includes(process.argv[2])
const keyBytes = 128

// DuckDB's queries occupy threads of Node's pool; without more threads, reading a file would wait for them.
if (process.env.UV_THREADPOOL_SIZE === undefined)
  process.env.UV_THREADPOOL_SIZE = String(Math.max(8, availableParallelism() * 2 + 4))

// What libraries say to their users about coming versions, such as that of PGPASSFILE, is nothing that a user of svc can act on.
process.noDeprecation = true

if (!existsSync(bundle)) {
  process.stderr.write('error: svc is not built yet; run "npm run build" in the root of its repository\n')
  process.exit(70)
}

/** A command says what it lacks; where it ended in a way that nobody foresaw, a missing native part is the first suspect. */
process.on('exit', code => {
  if (code !== 70) return
  const missing = require('./native-part.cjs').missingNativePart()
  if (missing === undefined) return
  process.stderr.write(missing)
  process.exitCode = 3
})

/** Returns version and build; undefined if they are unknown here: the bundle then prints them. */
function ownVersion() {
  try {
    return `${require('../package.json').version} (${readFileSync(join(dirname(bundle), 'build-id'), 'utf8')})`
  } catch {
    return undefined
  }
}

/**
 * Returns what the cached code was compiled from, because V8 itself compares only the length of the source.
 */
function cacheKey(file) {
  const { size, mtimeMs } = statSync(file)
  return `${process.versions.v8} ${process.arch} ${size} ${mtimeMs}`.padEnd(keyBytes).slice(0, keyBytes)
}

/**
 * The commands that use most of the code: each adds to its cache what it uses, when it works for the first time. An unchanged
 * plan of 1,000 assets takes 0.48 s of CPU so, and 0.53 s with what `validate` uses alone.
 */
const cachedCommands = ['validate', ...warehouseCommands]

/** Returns undefined if there is no cache for this bundle and this Node. `commands`: those that added to it, as bits. */
function readCache(cache, key) {
  let file
  try {
    file = readFileSync(cache)
  } catch {
    return undefined
  }
  if (file.toString('latin1', 0, keyBytes) !== key) return undefined
  return { commands: file[keyBytes], data: file.subarray(keyBytes + 1) }
}

/** If the folder is not writable, the next start is only a few milliseconds slower. */
function writeCache(cache, key, commands, script) {
  const temporary = `${cache}.${process.pid}`
  try {
    const head = Buffer.concat([Buffer.from(key, 'latin1'), Buffer.from([commands])])
    writeFileSync(temporary, Buffer.concat([head, script.createCachedData()]))
    renameSync(temporary, cache)
  } catch {
    try {
      unlinkSync(temporary)
    } catch {}
  }
}

/**
 * Returns the bundle as a function, as Node does with a module, in one piece: V8 would copy a text that is joined from
 * several, which is 5 MB of memory. The build makes sure that each letter is one byte.
 */
function wrappedBundle() {
  const [head, tail] = wrap('\0').split('\0')
  const file = openSync(bundle)
  const { size } = fstatSync(file)
  const text = Buffer.allocUnsafe(head.length + size + tail.length)
  text.write(head, 'latin1')
  readSync(file, text, head.length, size, 0)
  closeSync(file)
  text.write(tail, head.length + size, 'latin1')
  return text.toString('latin1')
}

/**
 * Returns what a file exports. Its compiled code is in `cache`, to which each command of `own`, as bits, adds what it uses.
 */
function load(file, text, cache, own) {
  const key = cacheKey(file)
  const cached = readCache(cache, key)
  const script = new vm.Script(text, {
    filename: file,
    cachedData: cached?.data,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const fresh = cached !== undefined && script.cachedDataRejected === false
  const known = fresh ? cached.commands : 0
  process.on('exit', code => {
    // A command that was refused has used little; one that found problems exits with 1.
    const commands = code < 2 ? known | own : known
    if (!fresh || commands !== known) writeCache(cache, key, commands, script)
  })
  const loaded = { exports: {} }
  script.runInThisContext().call(loaded.exports, loaded.exports, requireOf(file), loaded, file, dirname(file))
  return loaded.exports
}

/** Packages beside the bundle have a cache too: a run that asks a web service takes 9 ms of CPU less so. */
function requireOf(file) {
  const own = createRequire(file)
  const loaded = new Map()
  return name => {
    if (!name.startsWith('./packages/')) return own(name)
    if (!loaded.has(name)) {
      const path = join(dirname(file), name)
      loaded.set(name, load(path, wrap(readFileSync(path, 'utf8')), `${path}.cache`, 0))
    }
    return loaded.get(name)
  }
}

function start() {
  const own = cachedCommands.includes(process.argv[2]) ? 1 << cachedCommands.indexOf(process.argv[2]) : 0
  load(bundle, wrappedBundle(), `${bundle}.${usesWarehouse ? 'run.' : ''}cache`, own)
}

// The version needs no bundle, and scripts and editors ask for it often.
const asksForVersion = process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])
const version = asksForVersion ? ownVersion() : undefined
if (version === undefined) start()
else {
  // The reader of stdout may be gone, or the disk may be full.
  process.stdout.on('error', error => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`error: stdout cannot be written (${error.code})\n`)
    process.exitCode = 3
  })
  process.stdout.write(`svc ${version}\n`)
  const missing = require('./native-part.cjs').missingNativePart()
  if (missing !== undefined) {
    process.stderr.write(missing)
    process.exitCode = 3
  }
}
