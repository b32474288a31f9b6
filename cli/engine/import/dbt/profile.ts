/** The profile of a dbt project: the warehouse that its sources are in. Passwords are never taken over. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Site } from '../jinja/problem.ts'
import { addressOf, isReadable } from './databases.ts'
import type { DbtPackage } from './packages.ts'
import { placeOf } from './place.ts'
import type { ProjectFiles } from './project-files.ts'
import { type Part, parseYamlFile } from './yaml-part.ts'

export interface Profile {
  /** The name of the target. */
  readonly target: string
  /** The adapter of dbt, as `snowflake`; undefined without a profile. */
  readonly type: string | undefined
  readonly schema: string | undefined
  readonly threads: number
  readonly database: string | undefined
  /** The address of the database if svc can read it, without a password. */
  readonly endpoint: string | undefined
  /** Whether the database is a file, which has no password. */
  readonly isFile: boolean
  /** The target as the profile has it. */
  readonly settings: Part | undefined
  /** Whether svc reads databases of this kind. */
  readonly isReadable: boolean
  /** The variable that the password is read from: that of the profile, else one that is called after it. */
  readonly passwordVariable: string | undefined
  /** Where the profile has a password, which is not taken over. */
  readonly password: Site | undefined
  /** Where the profile says what the password is, or in which variable it is. */
  readonly passwordAt: Site | undefined
}

export interface ProfileRequest {
  /** The value of `--profiles-dir`. */
  readonly folder: string | undefined
  /** The value of `--target`. */
  readonly target: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The folder of the new project, which addresses of files are relative to. */
  readonly output: string
}

/** A profile that is not there is no error: the sources are then told as something to fill in. */
export function readProfile(files: ProjectFiles, root: DbtPackage, request: ProfileRequest): Profile {
  const profile = profileOf(files, root, request)
  const name = request.target ?? plain(profile?.get('target')) ?? 'dev'
  const outputs = profile?.get('outputs')
  const output = outputs?.get(name)
  if (request.target !== undefined && output === undefined) {
    const known = outputs?.entries().map(({ key }) => key) ?? []
    throw new SvcError('wrong-usage', `the profile has no target "${name}"`, {
      hint:
        known.length === 0
          ? 'No profiles.yml was found: name its folder with --profiles-dir.'
          : `It has: ${known.join(', ')}.`,
    })
  }
  const type = plain(output?.get('type'))
  const value = (key: string) => plain(output?.get(key))
  const password = output?.get('password') ?? output?.get('pass')
  const folders = { dbt: files.root, output: request.output }
  const address = addressOf(type, value, folders) ?? { endpoint: undefined, isFile: false }
  return {
    target: name,
    type,
    schema: plain(output?.get('schema')),
    threads: Number(plain(output?.get('threads')) ?? 1),
    database: plain(output?.get('dbname')) ?? plain(output?.get('database')) ?? plain(output?.get('catalog')),
    ...address,
    settings: output,
    isReadable: isReadable(type),
    passwordVariable: password === undefined ? undefined : (variableIn(password.text) ?? ownVariable(root)),
    password: variableIn(password?.text) === undefined ? password?.site : undefined,
    passwordAt: password?.site,
  }
}

function profileOf(files: ProjectFiles, root: DbtPackage, request: ProfileRequest): Part | undefined {
  const name = root.settings.get('profile')?.text ?? root.name
  const given = request.folder === undefined ? undefined : resolve(request.cwd, request.folder)
  if (given !== undefined && !existsSync(join(given, 'profiles.yml'))) {
    throw new SvcError('wrong-usage', `there is no profiles.yml in ${given}`, {
      hint: 'Name the folder that has it, or leave out --profiles-dir.',
    })
  }
  const home = request.env['HOME'] ?? request.env['USERPROFILE']
  const folders = [given, files.root, request.env['DBT_PROFILES_DIR'], home && join(home, '.dbt')]
  const folder = folders.find(
    each => each !== undefined && each !== '' && existsSync(join(each, 'profiles.yml')),
  )
  if (folder === undefined) return undefined
  const template = { path: 'profiles.yml', text: readFileSync(join(folder, 'profiles.yml'), 'utf8') }
  const all = parseYamlFile(template)
  const profile = all.get(name)
  if (profile !== undefined || given === undefined) return profile
  throw new SvcError('wrong-usage', `profiles.yml has no profile "${name}"`, { place: placeOf(all.site) })
}

/** Templates in a profile are only ever `env_var`; what a variable holds is nobody's business here. */
function plain(part: Part | undefined): string | undefined {
  const text = part?.text
  if (text === undefined || !/\{[{%]/.test(text)) return text
  return /env_var\(\s*['"][^'"]+['"]\s*,\s*['"]([^'"]*)['"]\s*\)/.exec(text)?.[1]
}

function variableIn(text: string | undefined): string | undefined {
  return /env_var\(\s*['"]([A-Za-z_]\w*)['"]/.exec(text ?? '')?.[1]
}

function ownVariable({ name }: DbtPackage): string {
  return `${name.toUpperCase().replace(/\W+/g, '_')}_PASSWORD`
}
