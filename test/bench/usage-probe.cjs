// Loaded into a measured process before anything else: at its end it writes what it used.
'use strict'
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const usage = { rssBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }
  writeFileSync(process.env.SVC_BENCH_USAGE, JSON.stringify(usage))
})
