// The others in scripts/hosted-attack.mjs: tokens that read and write at an even pace, and somebody who asks for /healthz. This is
// a process of its own that goes before all others, so that what it measures is not its own waiting for a processor; what is left
// of that is told too (`own`). It is asked over IPC: {seconds} is answered with the times.
//   fork('scripts/hosted-attack-others.mjs', [url, …tokens])
import { Agent, request } from 'node:http'
import { getPriority, setPriority } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const [url = '', ...tokens] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
/** Milliseconds between two requests of one token, below its limits. */
const every = { health: 20, read: 150, write: 700 }

try {
  // From where the service is, which may have been started before others, too.
  setPriority(getPriority() - 5)
} catch {
  // Only root may: `own` says how long it has waited.
}

function ask(token, method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(text !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    }),
  }
  return new Promise((resolve, reject) => {
    request(url + path, { method, headers, agent }, response =>
      response
        .on('end', () => resolve(response.statusCode))
        .on('error', reject)
        .resume(),
    )
      .on('error', reject)
      .end(text)
  })
}

const asks = {
  health: () => ask(undefined, 'GET', '/healthz'),
  read: token => ask(token, 'GET', `/api/svc/glossary/terms/${1 + Math.floor(Math.random() * 400)}`),
  // Each token's terms have a name of their own: two of one name are written one after the other, which is no attack.
  write: token =>
    ask(token, 'POST', '/api/svc/glossary/terms', { project: 1, name: `From ${tokens.indexOf(token)}` }),
}

/** Asks at a fixed pace, whether or not the answer before has come. */
async function probe(end, kind, token, into) {
  const open = []
  // Not all tokens at the same moment.
  await wait(Math.random() * every[kind])
  while (performance.now() < end) {
    const started = performance.now()
    open.push(
      asks[kind](token).then(
        status => {
          into.times.push(performance.now() - started)
          if (status >= 400) into.failures[status] = (into.failures[status] ?? 0) + 1
        },
        () => {
          into.failures.none = (into.failures.none ?? 0) + 1
        },
      ),
    )
    await wait(every[kind])
  }
  await Promise.all(open)
}

async function measure(seconds) {
  const own = monitorEventLoopDelay({ resolution: 1 })
  own.enable()
  const end = performance.now() + seconds * 1000
  const found = Object.fromEntries(Object.keys(every).map(kind => [kind, { times: [], failures: {} }]))
  await Promise.all([
    probe(end, 'health', undefined, found.health),
    ...tokens.flatMap(token => [
      probe(end, 'read', token, found.read),
      probe(end, 'write', token, found.write),
    ]),
  ])
  own.disable()
  return {
    ...Object.fromEntries(Object.entries(found).map(([kind, each]) => [kind, summary(each)])),
    own: own.max / 1e6,
  }
}

function summary({ times, failures }) {
  times.sort((a, b) => a - b)
  const at = part => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { count: times.length, median: at(0.5), p99: at(0.99), longest: at(1), failures }
}

process.on('disconnect', () => process.exit(0))
process.on('message', async ({ seconds }) => process.send(await measure(seconds)))
