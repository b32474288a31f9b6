/**
 * Determines the hosted store of an upload: options first, then environment variables. The token is always
 * read from a variable.
 */
import { SvcError } from '../errors.ts'
import { resolveText, variableOf } from '../ingest/credentials.ts'

export interface HostedTarget {
  /** `https://host[:port][/prefix]` */
  readonly url: string
  readonly token: string
  /** The record number of the project. */
  readonly project: number
}

export interface TargetOptions {
  readonly url: string | undefined
  /** A reference of the form `env:NAME`. */
  readonly token: string | undefined
  readonly project: string | undefined
}

export const hostedVariables = {
  url: 'SVC_HOSTED_URL',
  token: 'SVC_HOSTED_TOKEN',
  project: 'SVC_HOSTED_PROJECT',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Throws SvcError `wrong-usage`, `missing-credentials`. */
export function hostedTarget(options: TargetOptions, env: Environment): HostedTarget {
  const project = projectOf(options.project ?? env[hostedVariables.project] ?? '1')
  const url = addressOf(options.url ?? `env:${hostedVariables.url}`, env)
  return { url, token: tokenOf(options.token ?? `env:${hostedVariables.token}`, env), project }
}

function addressOf(written: string, env: Environment): string {
  const variable = variableOf(written)
  if (variable === hostedVariables.url && !env[variable]) {
    throw new SvcError('wrong-usage', 'svc does not know where the hosted store is', {
      hint: `Give --url https://host, or set ${hostedVariables.url}.`,
    })
  }
  const text = resolveText(written, env, '--url').trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SvcError('wrong-usage', 'the address of the hosted store is no http address', {
      hint: 'It looks like https://metadata.example.com.',
    })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SvcError('wrong-usage', 'the address of the hosted store has more than host, port and path', {
      hint: `The token comes from ${hostedVariables.token}, and nothing goes after the path.`,
    })
  }
  return text.replace(/\/+$/, '')
}

/**
 * Refuses a token on the command line, because it would be visible in the list of processes and in the
 * history of the shell.
 */
function tokenOf(written: string, env: Environment): string {
  if (variableOf(written) === undefined) {
    throw new SvcError('wrong-usage', '--token takes the name of a variable, not the token itself', {
      hint: `Put the token into ${hostedVariables.token}, or name another variable: --token env:NAME.`,
    })
  }
  const token = resolveText(written, env, 'the token of the hosted store').trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new SvcError('wrong-usage', 'the token has spaces or characters that no header can hold', {
    hint: 'Copy it again; a token is one word such as svc_….',
  })
}

function projectOf(written: string): number {
  if (/^[1-9][0-9]{0,9}$/.test(written)) return Number(written)
  throw new SvcError('wrong-usage', `--project takes a whole number from 1 on, not "${written}"`, {
    hint: 'It is that of the project in the hosted store: GET /api/svc/projects lists the projects with their numbers; a fresh store has project 1.',
  })
}
