/** Where files of an SFTP server are and who asks: the address `sftp://user@host/folder` and the key `sftp` of the file. */
import { readFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { redact, type SftpSettings } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resolveText } from '../ingest/credentials.ts'
import { declaredKey, knownHosts, type TrustedKeys } from './known-hosts.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface SftpRequest {
  /** `sftp://user@host:port/folder`. */
  readonly endpoint: string
  readonly settings: SftpSettings | undefined
  /** A password, or a private key; undefined if the asset has none. */
  readonly credentials: string | undefined
  readonly env: Env
  /** The block of the file with the settings, for messages: `ingest.sftp`. */
  readonly where: string
}

export interface SftpPlace {
  readonly host: string
  readonly port: number
  readonly user: string
  /** The folder, without a slash at its end: absolute, or below the home of the user. */
  readonly folder: string
  readonly password: string | undefined
  readonly privateKey: string | undefined
  readonly passphrase: string | undefined
  /** The socket of an agent that has keys. */
  readonly agent: string | undefined
  readonly trusted: TrustedKeys
  readonly where: string
  /** `sftp://host/folder`. */
  readonly shown: string
  hide(text: string): string
}

/** Throws SvcError `missing-credentials` and `invalid-project`. */
export async function sftpPlace(request: SftpRequest): Promise<SftpPlace> {
  const { endpoint, env, where } = request
  if (!URL.canParse(endpoint) || new URL(endpoint).hostname === '') {
    throw new SvcError('invalid-project', 'the endpoint has to be sftp://user@host/folder')
  }
  const url = new URL(endpoint)
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '')
  const port = Number(url.port || 22)
  const secrets = secretsOf(request, decodeURIComponent(url.password))
  const agent = env['SSH_AUTH_SOCK'] || undefined
  if (secrets.password === undefined && secrets.privateKey === undefined && agent === undefined) {
    throw new SvcError('missing-credentials', `nothing says with which key or password to ask ${host}`, {
      hint: `Write credentials: env:NAME with the password or the private key, or ${where}.private_key; or start an SSH agent with the key.`,
    })
  }
  const known = [secrets.password, secrets.passphrase, secrets.privateKey]
  const path = decodeURIComponent(url.pathname).replace(/\/+$/, '')
  return {
    ...{ host, port, where, agent, ...secrets },
    user: decodeURIComponent(url.username) || userInfo().username,
    // `/~/in` is below the home of the user, as curl has it.
    folder: path.startsWith('/~') ? path.replace(/^\/~\/?/, '') || '.' : path || '/',
    trusted: await trustedKeys(request, host, port),
    shown: `sftp://${url.host}${path}`,
    hide: text => redact(text, known.filter(secret => secret !== undefined && secret !== '') as string[]),
  }
}

type Secrets = Pick<SftpPlace, 'password' | 'privateKey' | 'passphrase'>

function secretsOf({ settings, credentials, env, where }: SftpRequest, ofAddress: string): Secrets {
  const of = (name: 'private_key' | 'passphrase' | 'password', value: string | undefined) =>
    value === undefined ? undefined : resolveText(value, env, `${where}.${name}`)
  const isKey = credentials?.includes('PRIVATE KEY-----') === true
  const privateKey = of('private_key', settings?.privateKey) ?? (isKey ? credentials : undefined)
  const password =
    of('password', settings?.password) ?? (isKey ? undefined : credentials) ?? (ofAddress || undefined)
  return {
    // In a variable, the lines of a key are often joined with \n.
    privateKey: privateKey?.includes('\n') === false ? privateKey.replaceAll('\\n', '\n') : privateKey,
    password,
    passphrase: of('passphrase', settings?.passphrase),
  }
}

async function trustedKeys(
  { settings, env, where }: SftpRequest,
  host: string,
  port: number,
): Promise<TrustedKeys> {
  if (settings?.hostKey !== undefined)
    return declaredKey(resolveText(settings.hostKey, env, `${where}.host_key`))
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  const paths = [join(home, '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts']
  const texts = await Promise.all(paths.map(path => readFile(path, 'utf8').catch(() => '')))
  return knownHosts(texts, host, port)
}
