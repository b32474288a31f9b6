#!/usr/bin/env node
// npm links a command only if its file exists at install time, so this launcher is committed and the bundle
// is built.
'use strict'
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// Older versions fail somewhere in the bundle, in ways that do not name the reason. This file has only syntax that they read.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 17)) {
  process.stderr.write(
    `error: svc-hosted needs Node 20.17 or later, and this is Node ${process.versions.node}\n`,
  )
  process.exit(3)
}

const bundle = join(__dirname, '..', 'dist', 'svc-hosted.cjs')

// SQLite's queries and zlib share Node's thread pool; with the default of four threads they would wait for
// each other.
if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = '8'

if (!existsSync(bundle)) {
  process.stderr.write(
    'error: svc-hosted is not built yet; run "npm run build" in the root of its repository\n',
  )
  process.exit(70)
}
require(bundle)
