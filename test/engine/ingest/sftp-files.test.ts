/** Files of an SFTP server, from OpenSSH's own: who is asked and who asks, what is listed, and what goes wrong. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { knownHosts } from '../../../cli/engine/sftp/known-hosts.ts'
import { showsSource } from '../../support/features/shows.ts'
import { canStartSshd, type SftpServer, startSftpServer } from '../../support/sftp-server.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from './fetching.ts'

describe.skipIf(!canStartSshd())('files of an SFTP server', () => {
  let project: Project
  let server: SftpServer

  beforeAll(async () => {
    project = temporaryProject()
    server = await startSftpServer()
  })
  afterAll(async () => {
    await server?.stop()
    project?.remove()
  })
  afterEach(() => rmSync(join(server.files, 'in'), { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array) => {
    const path = join(server.files, 'in', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const csv = (...ids: number[]) => `id,name\n${ids.map(id => `${id},n${id}\n`).join('')}`
  const ingest = (resource: string, sftp?: string, more = '') =>
    `ingest: {type: file, endpoint: "sftp://${server.user}@127.0.0.1:${server.port}${server.files}/in", resource: "${resource}"${more}, sftp: {${sftp ?? `host_key: "${server.hostKey}"`}}}`
  const home = (folder = '/nowhere') => ({ HOME: folder, USERPROFILE: folder })
  const env = () => ({ ...home(), SOURCE__ORDERS__CREDENTIALS: server.key })
  const idsOf = async (body: string, given: Record<string, string> = env()) =>
    (await load(project, body, { env: given })).rows['']?.map(row => Number(row['id'])).sort((a, b) => a - b)
  const failure = async (body: string, given: Record<string, string> = env()) =>
    await fetchOnly(project, body, { env: given }).then(
      () => 'nothing failed',
      (error: Error & { code?: string; hint?: string }) => `${error.code}: ${error.message} | ${error.hint}`,
    )

  it('are found by a pattern below the folder, also by links, and read', async () => {
    showsSource(['sftp'], ['replace', 'mask', 'max_rows'])
    put('a 1.csv', csv(1))
    put('b.csv.gz', gzipSync(csv(2)))
    put('deep/er/c.csv', csv(3))
    put('.hidden/d.csv', csv(4))
    put('other.txt', csv(5))
    symlinkSync('other.txt', join(server.files, 'in', 'link.csv'))
    symlinkSync('nowhere', join(server.files, 'in', 'dangling.csv'))
    expect(await idsOf(ingest('a *.csv'))).toEqual([1])
    expect(await idsOf(ingest('*.csv'))).toEqual([1, 5])
    expect(await idsOf(ingest('{a *.csv,b.csv.gz}'))).toEqual([1, 2])
    expect(await idsOf(ingest('**/*.csv'))).toEqual([1, 3, 5])
    expect(await idsOf(ingest('deep/er/c.csv'))).toEqual([3])
    const few = ingest('**/*.csv', undefined, ', mask: {name: redact}, limits: {max_rows: 2}')
    const { rows } = await load(project, few, { env: env() })
    expect(rows['']?.map(({ name }) => name)).toEqual(['***', '***'])
    expect(await failure(ingest('x*.csv'))).toContain('no file matches "x*.csv" in sftp://127.0.0.1')
  })

  it('are asked for with a private key, a locked one too, or one of an agent', async () => {
    put('a.csv', csv(1))
    const known = `host_key: "${server.hostKey}"`
    const own = {
      ...home(),
      KEY: server.lockedKey,
      PHRASE: 'sesame',
      JOINED: server.key.replaceAll('\n', '\\n'),
    }
    expect(
      await idsOf(ingest('a.csv', `${known}, private_key: env:KEY, passphrase: env:PHRASE`), own),
    ).toEqual([1])
    expect(await idsOf(ingest('a.csv', `${known}, private_key: env:JOINED`), own)).toEqual([1])
    expect(await failure(ingest('a.csv', `${known}, private_key: env:KEY`), own)).toContain(
      'missing-credentials: the private key cannot be used',
    )
    const foreign = { ...home(), SOURCE__ORDERS__CREDENTIALS: server.foreignKey }
    expect(await failure(ingest('a.csv'), foreign)).toContain('does not let')
    expect(
      await failure(ingest('a.csv'), { ...home(), SOURCE__ORDERS__CREDENTIALS: 'a-password' }),
    ).toContain('wrong user, password or key')
    expect(await failure(ingest('a.csv'), home())).toContain(
      'missing-credentials: nothing says with which key',
    )
  })

  it('are asked of a server whose key is known, and of no other', async () => {
    put('a.csv', csv(1))
    const refused = await failure(ingest('a.csv', 'password: env:SOURCE__ORDERS__CREDENTIALS'))
    expect(refused).toContain('host-not-allowed: nobody has said that the server [127.0.0.1]:')
    expect(refused).toContain(`add this line to ~/.ssh/known_hosts: ${server.knownHost}`)
    const fingerprint = /SHA256:\S+/.exec(refused)?.[0].replace(/,$/, '') ?? ''
    expect(await idsOf(ingest('a.csv', `host_key: "${fingerprint}"`))).toEqual([1])
    project.write('.ssh/known_hosts', `# hosts\n${server.knownHost}\n`)
    const withHome = { ...env(), ...home(project.root) }
    expect(await idsOf(ingest('a.csv', ''), withHome)).toEqual([1])
    const [name = ''] = server.knownHost.split(' ')
    project.write('.ssh/known_hosts', `${name} ${server.hostKey.slice(0, -6)}AAAAAA\n`)
    expect(await failure(ingest('a.csv', ''), withHome)).toContain('has another key than is known of it')
    project.write('.ssh/known_hosts', `${server.knownHost}\n@revoked ${server.knownHost}\n`)
    expect(await failure(ingest('a.csv', ''), withHome)).toContain('host-not-allowed')
    project.write('.ssh/known_hosts', `${name} ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQ==\n`)
    expect(await failure(ingest('a.csv', ''), withHome)).toContain(
      'no key of the kinds that are known of it: ssh-rsa',
    )
  })

  it('that are not there, or have too many bytes, are told', async () => {
    expect(await failure(ingest('a.csv'))).toContain('source-unreadable: sftp://127.0.0.1')
    put('a.csv', csv(...Array.from({ length: 500 }, (_, id) => id)))
    expect(await failure(ingest('a.csv', undefined, ', limits: {body: 1KB}'))).toContain(
      'is larger than 1 KB (limits.body)',
    )
  })

  it('are fetched again when the connection breaks', async () => {
    showsSource(['sftp'], ['retries'])
    put('a.csv', `id,text\n${`1,${'x'.repeat(1000)}\n`.repeat(20_000)}`)
    let broken = false
    const notes: string[] = []
    const { rows } = await load(project, ingest('a.csv'), {
      env: env(),
      onProgress({ bytes, note }) {
        if (note !== undefined) notes.push(note)
        if (broken || bytes < 1e6) return
        broken = true
        server.breakConnections()
      },
    })
    expect(rows['']).toHaveLength(20_000)
    expect(notes.join('\n')).toContain('then try 2 of 6')
  })

  it('that have come stay when the fetch breaks off', async () => {
    showsSource(['sftp'], ['resume'])
    put('a.csv', csv(1))
    put('b.csv', `id,name\n${`2,${'x'.repeat(1000)}\n`.repeat(20_000)}`)
    const spoolFolder = project.path('.spool/broken')
    mkdirSync(spoolFolder, { recursive: true })
    const one = ingest('*.csv', undefined, ', limits: {retries: 0, concurrency: 1}')
    const onProgress = ({ bytes }: { bytes: number }) => {
      if (bytes > 1e6) server.breakConnections()
    }
    await expect(fetchOnly(project, one, { env: env(), spoolFolder, onProgress })).rejects.toThrow()
    const { rows, notes } = await load(project, one, { env: env(), spoolFolder })
    expect(rows['']).toHaveLength(20_001)
    expect(notes).toContain('going on: 1 of 2 files is kept')
  })

  it('in folders named key=value have them as columns', async () => {
    showsSource(['sftp'], ['partitions'])
    put('month=05/a.csv', 'id\n1\n')
    put('month=06/a.csv', 'id\n2\n')
    const { rows } = await load(project, ingest('**/*.csv'), { env: env() })
    expect(rows['']).toEqual([
      { id: '1', month: '5' },
      { id: '2', month: '6' },
    ])
  })

  it('are not read whole to know their columns', async () => {
    put('a.csv', `id,text\n${`1,${'x'.repeat(1000)}\n`.repeat(20_000)}`)
    let most = 0
    const onProgress = ({ bytes }: { bytes: number }) => {
      most = Math.max(most, bytes)
    }
    const tables = await peek(project, ingest('a.csv'), { env: env(), onProgress })
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['id', 'text'])
    expect(tables[0]?.complete).toBe(false)
    expect(most).toBe(4 << 20)
  })
})

describe('known hosts', () => {
  const key = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from('key')])
  const text = key.toString('base64')

  it.each([
    ['a name', 'files.example.com', 22, true],
    ['another name', 'example.com', 22, false],
    ['another port', 'files.example.com', 2222, false],
    ['a name with a port', 'ports.example.com', 2222, true],
    ['a pattern', 'a.inner.example.com', 22, true],
    ['what a pattern leaves out', 'not.inner.example.com', 22, false],
    ['a hashed name', 'hashed.example.com', 22, true],
  ])('%s', (_what, host, port, isKnown) => {
    // ssh-keygen -H wrote the last line.
    const lines = [
      `files.example.com,10.0.0.1 ssh-ed25519 ${text} comment`,
      `[ports.example.com]:2222 ssh-ed25519 ${text}`,
      `!not.inner.example.com,*.inner.example.com ssh-ed25519 ${text}`,
      `@cert-authority * ssh-ed25519 ${text}`,
      `|1|tYto6vvnBYjWdHam/Hbs5IZMbas=|3jiZLDxxPTgcW8es2kIgOLz4k00= ssh-ed25519 ${text}`,
    ]
    const found = knownHosts([lines.join('\n')], host, port)
    expect([found.isKnown, found.trusts(key)]).toEqual([isKnown, isKnown])
    expect(found.trusts(Buffer.from('another'))).toBe(false)
  })
})
