/** The files of AWS's own tools, `~/.aws/credentials` and `~/.aws/config`, as far as they hold keys. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { SvcError } from '../errors.ts'
import type { S3Keys } from './place.ts'

type Env = Readonly<Record<string, string | undefined>>
type Section = ReadonlyMap<string, string>

export interface Profile {
  readonly keys: S3Keys | undefined
  readonly region: string | undefined
  readonly endpoint: string | undefined
}

/**
 * Returns a profile: the named one, or that of AWS_PROFILE, or `default`; undefined if nobody named one and none is there.
 * Throws SvcError `missing-credentials` for a named one that is not there.
 */
export async function readProfile(
  env: Env,
  named: string | undefined,
  where: string,
): Promise<Profile | undefined> {
  const wanted = named ?? (env['AWS_PROFILE'] || undefined)
  const name = wanted ?? 'default'
  const folder = join(env['HOME'] ?? env['USERPROFILE'] ?? homedir(), '.aws')
  const credentials = await sections(env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials'))
  const config = await sections(env['AWS_CONFIG_FILE'] ?? join(folder, 'config'))
  const secret = credentials.get(name)
  const general = config.get(name === 'default' ? 'default' : `profile ${name}`)
  if (secret === undefined && general === undefined) {
    if (wanted === undefined) return undefined
    throw new SvcError('missing-credentials', `there is no AWS profile "${name}"`, {
      hint: `Add it with aws configure --profile ${name}, or change ${named === undefined ? 'AWS_PROFILE' : `${where}.profile`}.`,
    })
  }
  const both = new Map([...(general ?? []), ...(secret ?? [])])
  if (wanted !== undefined && keysOf(both) === undefined) refuseForeign(name, both)
  return { keys: keysOf(both), region: both.get('region'), endpoint: both.get('endpoint_url') }
}

/** Signing in and taking roles is the work of AWS's own tools, which hand their keys on in variables. */
function refuseForeign(name: string, profile: Section): void {
  const way = ['sso_session', 'sso_start_url', 'role_arn', 'credential_process'].find(key => profile.has(key))
  if (way === undefined) return
  throw new SvcError('missing-credentials', `the AWS profile "${name}" has no key but ${way}`, {
    hint: `Set the variables that this prints: aws configure export-credentials --profile ${name} --format env`,
  })
}

function keysOf(profile: Section): S3Keys | undefined {
  const accessKeyId = profile.get('aws_access_key_id')
  const secretAccessKey = profile.get('aws_secret_access_key')
  const sessionToken = profile.get('aws_session_token')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

/** Reads a file of sections `[name]` with lines `key = value`; one that cannot be read counts as empty. */
async function sections(path: string): Promise<ReadonlyMap<string, Section>> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const found = new Map<string, Map<string, string>>()
  let section: Map<string, string> | undefined
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (head !== undefined) {
      section = found.get(head) ?? new Map()
      found.set(head, section)
      continue
    }
    // Lines that are indented belong to a key above them.
    const [, key, value] = /^([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined && value !== undefined && value !== '') section?.set(key.toLowerCase(), value)
  }
  return found
}
