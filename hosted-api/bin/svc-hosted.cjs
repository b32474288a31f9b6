#!/usr/bin/env node
// npm links a command only if its file exists at install time, so this launcher is committed and the bundle
// is built.
'use strict'
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const bundle = join(__dirname, '..', 'dist', 'svc-hosted.cjs')

// SQLite's queries and zlib share Node's thread pool; with the default of four threads they would wait for
// each other.
process.env.UV_THREADPOOL_SIZE ??= '8'

if (!existsSync(bundle)) {
  process.stderr.write(
    'error: svc-hosted is not built yet; run "npm run build" in the root of its repository\n',
  )
  process.exit(70)
}
require(bundle)
