// The mornings after four bad nights, as their users find them: what the nightly run printed, and what dashboard and
// editor show. `node scripts/mornings.mjs --out <folder> [--only renamed-column,…] [--no-pictures]` sets up the project of
// each, lets the bad thing happen, runs `svc run --env prod`, and fails where that ends otherwise than it must. The texts
// and pictures are to be looked at: what happened, to which asset, since when, is production right, what is to be done?
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { chromium } from 'playwright-core'
import { chromiumOptions } from './code-server.mjs'
import { dashboardPicture, serveDashboard } from './dashboard-page.mjs'
import { editorPicture } from './editor-page.mjs'
import { prepareEditor } from './editor-tools.mjs'
import { mornings } from './mornings-worlds.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const svc = join(root, 'cli', 'bin', 'svc.cjs')
/** Moves the clock of svc, so that a morning tells the good day from the night. */
const clock = join(root, 'scripts', 'soak-clock.cjs')
const themes = {
  dark: { colorScheme: 'dark' },
  light: { colorScheme: 'light' },
  'high-contrast': { colorScheme: 'dark', contrast: 'more' },
}
const hoursAgo = { goodDay: 60, night: 6, morning: 0 }
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string' }, 'no-pictures': { type: 'boolean' } },
})
if (options.out === undefined) {
  process.stderr.write('error: say where the texts and pictures go: --out <folder>\n')
  process.exit(2)
}
mkdirSync(options.out, { recursive: true })
const browser = options['no-pictures'] === true ? undefined : await openBrowser()
const names = options.only?.split(',') ?? Object.keys(mornings)
const problems = []
for (const name of names) {
  const found = await live(name, mornings[name])
  for (const problem of found) console.log(`  ✗ ${problem}`)
  console.log(`${found.length === 0 ? '✓' : '✗'} ${mornings[name].title}`)
  problems.push(...found)
}
await browser?.close()
process.exit(problems.length === 0 ? 0 : 1)

async function openBrowser() {
  const prepared = prepareEditor({ browser: true })
  if ('missing' in prepared) {
    process.stderr.write(`error: ${prepared.missing}\n`)
    process.exit(3)
  }
  return chromium.launch({ executablePath: prepared.tools.chromium, args: chromiumOptions })
}

/** What the run printed, and what the next questions to the command line are answered. */
async function keepTexts(name, world, night) {
  const sessions = [`$ svc run --env prod\n${night.said}(${night.code})\n`]
  for (const words of [['status', '--env', 'prod'], ['plan', '--env', 'prod'], ['validate']]) {
    const { said, code } = await run(world, words)
    sessions.push(`$ svc ${words.join(' ')}\n${said}(${code})\n`)
  }
  writeFileSync(join(options.out, `${name}.txt`), sessions.join('\n'))
}

async function keepPictures(name, { folder }, asset) {
  const ui = await serveDashboard({ cwd: folder, env: process.env }, ['--env', 'prod'])
  const item = page => page.getByRole('treeitem', { name: new RegExp(`^${asset.name}\\b`) })
  const views = { dashboard: page => item(page).waitFor(), asset: page => item(page).click() }
  try {
    for (const [view, prepare] of Object.entries(views)) {
      for (const [theme, look] of Object.entries(themes)) {
        const path = join(options.out, `${name}-${view}-${theme}.png`)
        await dashboardPicture(browser, ui.address, { path, ...look, prepare })
      }
    }
  } finally {
    await ui.stop()
  }
  const { tools } = prepareEditor({ browser: true })
  await editorPicture(browser, {
    tools,
    project: folder,
    file: asset.file,
    server: `${folder}-server`,
    settings: { 'svc.environment': 'prod' },
    env: {},
    path: join(options.out, `${name}-editor.png`),
  })
}

/** Returns what went otherwise than it must. */
async function live(name, morning) {
  const place = mkdtempSync(join(tmpdir(), 'svc-morning-'))
  const folder = join(place, name)
  const service = await startService()
  const world = worldIn(folder, service)
  try {
    for (const [path, text] of Object.entries(morning.files(service.origin))) world.write(path, text)
    await morning.goodDay(world)
    const first = await run(world, ['run', '--env', 'prod'], hoursAgo.goodDay)
    if (first.code !== 0) return [`the good day ends with ${first.code}:\n${first.said}`]
    const before = await world.query(morning.production)
    await morning.night(world)
    const night = await run(world, ['run', '--env', 'prod'], hoursAgo.night)
    const after = await world.query(morning.production)
    await keepTexts(name, world, night)
    if (browser !== undefined) await keepPictures(name, world, morning.asset)
    return [
      ...(night.code === morning.exitCode
        ? []
        : [`the run ends with ${night.code}, not ${morning.exitCode}`]),
      ...morning.says
        .filter(words => !words.test(night.said.replaceAll(/\s+/g, ' ')))
        .map(words => `the run does not say ${words}`),
      ...(morning.isRight(before, after) ? [] : [`production is wrong: ${JSON.stringify(after)}`]),
    ]
  } finally {
    await service.close()
    rmSync(place, { recursive: true, force: true })
  }
}

function worldIn(folder, service) {
  return {
    folder,
    serve: service.serve,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
      // The clock of the machine is not moved: a file that is newer than the run that read it would count as changed.
      const before = new Date(Date.now() - (hoursAgo.goodDay + 1) * 3_600_000)
      utimesSync(join(folder, path), before, before)
    },
    async query(text) {
      const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'))
      const connection = await instance.connect()
      try {
        return (await connection.runAndReadAll(text)).getRowsJson()
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    },
  }
}

async function startService() {
  const answers = new Map()
  const server = createServer((request, response) => {
    const answer = answers.get(new URL(request.url, 'http://service').pathname)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'there is no such list' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    serve: (path, answer) => answers.set(path, answer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As a terminal of 80 columns shows it, without its colours. */
async function run({ folder }, words, ago = hoursAgo.morning) {
  const shift = { NODE_OPTIONS: `--require "${clock}"`, SOAK_CLOCK_SHIFT_MS: String(-ago * 3_600_000) }
  const env = { ...process.env, ...shift, COLUMNS: '80', NO_COLOR: '1' }
  const child = spawn(process.execPath, [svc, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}
