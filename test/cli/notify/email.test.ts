/** E-mail against a real SMTP server on loopback: encrypted, with a login, and the ways in which it can refuse. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { notifyGround } from './ground.ts'

interface Mail {
  readonly to: readonly string[]
  readonly secure: boolean
  readonly text: string
}

let certificate: { readonly key: Buffer; readonly cert: Buffer; readonly path: string }
const servers: SMTPServer[] = []

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-smtp-'))
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const output = ['-keyout', key, '-out', path, '-days', '2']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...output], {
    stdio: 'ignore',
  })
  certificate = { key: readFileSync(key), cert: readFileSync(path), path }
})

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => new Promise<void>(resolve => server.close(resolve))))
})

/** The server knows `svc` with the password `sesame-sesame`. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    ...{ key: certificate.key, cert: certificate.cert, authMethods: ['PLAIN', 'LOGIN'] },
    onAuth({ username, password }, _session, done) {
      logins.push(`${username}`)
      done(password === 'sesame-sesame' ? null : new Error('no'), { user: username })
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', part => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, secure: session.secure, text: Buffer.concat(parts).toString() })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { mails, logins, port }
}

const from = 'from: svc@example.com, to: [team@example.com, boss@example.com]'
const login = 'username: svc, password: env:SMTP_PASSWORD'

function groundFor(endpoint: string, keys: string) {
  return notifyGround(
    `{mail: {type: email, endpoint: "${endpoint}", ${from}, limits: {retries: 0}${keys === '' ? '' : `, ${keys}`}}}`,
  )
}

const env = () => ({ SMTP_PASSWORD: 'sesame-sesame', NODE_EXTRA_CA_CERTS: certificate.path })

describe('e-mail', () => {
  it('goes over STARTTLS after a login', async () => {
    const { mails, logins, port } = await startSmtp()
    const { alone } = groundFor(`smtp://localhost:${port}`, login)
    const { code, stdout, stderr } = await alone(['notify', 'test'], { env: env() })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'OK   mail (email)\n', stderr: '' })
    expect(mails).toMatchObject([{ to: ['team@example.com', 'boss@example.com'], secure: true }])
    expect(mails[0]?.text).toMatch(/^Subject: shop dev: 1 test\r$/m)
    expect(mails[0]?.text).toMatch(/^Message-ID: <[0-9a-f]{32}@svc\.invalid>\r$/m)
    expect(logins).toEqual(['svc'])
  })

  it('goes over TLS from the start', async () => {
    const { mails, port } = await startSmtp({ secure: true })
    const { alone } = groundFor(`smtps://localhost:${port}`, login)
    expect((await alone(['notify', 'test'], { env: env() })).code).toBe(0)
    expect(mails).toMatchObject([{ secure: true }])
  })

  it('goes in plain text only where that is said, and then without a login', async () => {
    const { mails, logins, port } = await startSmtp({ hideSTARTTLS: true, authOptional: true })
    const refused = await groundFor(`smtp://localhost:${port}`, login).svc(['notify', 'test'], { env: env() })
    expect(refused.code).toBe(3)
    expect(mails).toEqual([])
    const allowed = await groundFor(`smtp://localhost:${port}`, `${login}, tls: never`).svc(
      ['notify', 'test'],
      { env: env() },
    )
    expect(allowed).toMatchObject({ code: 0 })
    expect(mails).toMatchObject([{ secure: false }])
    expect(logins).toEqual([])
  })

  it('is not sent to a server that cannot show who it is', async () => {
    const { mails, logins, port } = await startSmtp()
    const { svc } = groundFor(`smtp://localhost:${port}`, login)
    const { code, stdout } = await svc(['notify', 'test'], { env: { SMTP_PASSWORD: 'sesame-sesame' } })
    expect(code).toBe(3)
    expect(stdout).toContain('certificate of the server is not trusted')
    expect({ mails, logins }).toEqual({ mails: [], logins: [] })
  })

  it('says that a login was refused, without the password, and the run ends as it would', async () => {
    const { mails, port } = await startSmtp({ authOptional: false })
    const { alone, write } = groundFor(`smtp://localhost:${port}`, login)
    write('models/orders.svc', 'name: [')
    const wrong = { ...env(), SMTP_PASSWORD: 'open-sesame-open' }
    const { code, stderr } = await alone(['run', '--env', 'prod'], { env: wrong })
    expect(code).toBe(1)
    expect(stderr).toContain('the server refuses the login')
    expect(stderr).not.toContain('open-sesame-open')
    expect(mails).toEqual([])
  })

  it('is tried again by the next run when a server refused the message', async () => {
    let isFull = true
    const { mails, port } = await startSmtp({
      authOptional: true,
      hideSTARTTLS: true,
      onMailFrom(_address, _session, done) {
        done(isFull ? Object.assign(new Error('full'), { responseCode: 452 }) : null)
      },
    })
    const { run } = groundFor(`smtp://localhost:${port}`, 'tls: never')
    expect((await run(false)).stderr).toContain('the server says 452')
    isFull = false
    expect((await run(false)).code).toBe(1)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('orders failed')
    expect(mails[0]?.text).not.toContain('ada@')
  })

  it('says when nobody listens', async () => {
    const { svc } = groundFor('smtp://127.0.0.1:9', 'tls: never')
    const { code, stdout } = await svc(['notify', 'test'])
    expect(code).toBe(3)
    expect(stdout).toContain('ECONNREFUSED')
  })
})
