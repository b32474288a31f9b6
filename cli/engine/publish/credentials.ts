/** The secret of a destination, from `credentials` or from `DESTINATION__<TARGET>__CREDENTIALS`. */
import { defaultCredentials, type PublishTarget } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { optionalSecret } from '../ingest/credentials.ts'
import type { World } from '../workspace/workspace.ts'

type Env = World['env']
type Named = Pick<PublishTarget, 'name' | 'credentials'>

/** Returns undefined if nothing is named and the usual variable is not set. Throws `missing-credentials`. */
export function optionalCredentials({ name, credentials }: Named, env: Env): string | undefined {
  if (credentials === '') return undefined
  return optionalSecret(credentials, defaultCredentials(name), env, `publish.${name}.credentials`)
}

/** Throws `missing-credentials`. */
export function requiredCredentials(target: Named, env: Env, what: string): string {
  const found = optionalCredentials(target, env)
  if (found !== undefined) return found
  const variable = defaultCredentials(target.name)
  throw new SvcError('missing-credentials', `the environment variable ${variable} is not set (${what})`, {
    hint: `Set ${variable}, or write credentials: env:NAME for a variable of another name.`,
  })
}
