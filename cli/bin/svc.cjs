#!/usr/bin/env node
// npm links a command only when its file exists at install time, so this launcher is committed and the
// bundle that it starts is built.
'use strict'
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const bundle = join(__dirname, '..', 'dist', 'svc.cjs')
if (!existsSync(bundle)) {
  process.stderr.write('error: svc is not built yet; run "npm run build" in the project\'s root\n')
  process.exit(70)
}
require(bundle)
