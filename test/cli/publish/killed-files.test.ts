/** Files that are published by processes that are killed: whole at any time, and as production in the end. */
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { showsDestination } from '../../support/features/shows.ts'
import { s3Key, startS3Server } from '../../support/s3-server.ts'
import { canStartSshd, startSftpServer } from '../../support/sftp-server.ts'
import { customers, type Ground, publishGround } from './ground.ts'

interface Place {
  readonly ground: Ground
  readonly secret: string
  /** The content of the published file. */
  content(): string | undefined
  /** What lies beside it. */
  beside(): readonly string[]
  /** Calls back whenever something of the file arrives, and returns what ends that. `nth` counts the kills. */
  onArrival(call: () => void, nth: number): () => void
  close?(): unknown
}

async function folder(): Promise<Place> {
  const ground = publishGround('{type: file, endpoint: out, resource: people.csv, max_change: 100%}')
  const path = join(ground.root, 'out', 'people.csv')
  mkdirSync(dirname(path))
  return { ground, secret: '', ...onDisk(path) }
}

async function sftp(): Promise<Place> {
  const server = await startSftpServer()
  const ground = publishGround(
    `{type: file, endpoint: "sftp://${server.user}@127.0.0.1:${server.port}${server.files}", resource: people.csv, sftp: {host_key: "${server.hostKey}"}, max_change: 100%}`,
  )
  const path = join(server.files, 'people.csv')
  return { ground, secret: server.key, ...onDisk(path), close: () => server.stop() }
}

function onDisk(path: string): Pick<Place, 'content' | 'beside' | 'onArrival'> {
  return {
    content: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    beside: () => readdirSync(dirname(path)).filter(name => name !== 'people.csv'),
    onArrival(call) {
      const watcher = watch(dirname(path), call)
      return () => watcher.close()
    },
  }
}

async function bucket(): Promise<Place> {
  const server = await startS3Server()
  server.buckets.set('shop', new Map())
  const ground = publishGround(
    `{type: file, endpoint: "s3://shop", resource: people.csv, s3: {endpoint: "${server.origin}", region: eu-central-1}, max_change: 100%}`,
  )
  return {
    ground,
    secret: `${s3Key.id}:${s3Key.secret}`,
    content: () => server.buckets.get('shop')?.get('people.csv')?.toString(),
    beside: () => [...server.uploads.keys()],
    onArrival(call, nth) {
      server.before = ({ method }) => {
        if (method !== 'PUT') return false
        call()
        // Sometimes it has the file, and nobody has heard so.
        return nth % 2 === 0
      }
      return () => {
        server.before = () => false
      }
    },
    close: () => server.close(),
  }
}

const linesOf = (count: number, from = 1) =>
  customers(count, from)
    .map(({ id, email, name, amount }) => `${id},${email},${name},${amount?.toFixed(1)}`)
    .sort()

describe.each([
  ['a folder', folder, true],
  ['a bucket', bucket, true],
  ['an SFTP server', sftp, canStartSshd()],
] as const)('a file in %s', (_name, open, canOpen) => {
  let place: Place | undefined
  afterEach(async () => {
    place?.ground.dispose()
    await place?.close?.()
  })

  it.runIf(canOpen)('is whole after every kill, and as production in the end', async () => {
    showsDestination(['folder', 's3', 'sftp'], ['killed'])
    place = await open()
    const { ground, secret } = place
    const env = { DESTINATION__THERE__CREDENTIALS: secret }
    let before: readonly string[] | undefined
    for (const [nth, rows] of [20_000, 20_100, 20_200].entries()) {
      await ground.production(customers(rows))
      let stop = () => {}
      const { code } = await ground.alone(['publish', 'customers', '--to', 'there'], {
        env,
        onStart({ kill }) {
          stop = place?.onArrival(() => kill('SIGKILL'), nth) ?? stop
        },
      })
      stop()
      expect(code).toBe(null)
      const found = readLines(place.content())
      expect([before, linesOf(rows)]).toContainEqual(found)
      before = found
    }
    await ground.production(customers(300))
    const { code, value } = await ground.publish([], env)
    expect(code, JSON.stringify(value)).toBe(0)
    expect(readLines(place.content())).toEqual(linesOf(300))
    expect(place.beside()).toEqual([])
    expect((await ground.publish([], env)).value.done).toMatchObject({ inserts: 0, unchanged: 300 })
  })
})

/** Without the line of names, in an order of its own. */
function readLines(text: string | undefined): readonly string[] | undefined {
  return text?.trimEnd().split('\n').slice(1).sort()
}
