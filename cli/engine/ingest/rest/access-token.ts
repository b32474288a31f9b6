/**
 * Access tokens of OAuth 2 (RFC 6749): fetched before the first request, again shortly before they expire, and once when the
 * service does not take one any more.
 */
import { SvcError } from '../../errors.ts'
import type { Secrets } from '../credentials.ts'
import type { Body } from './body.ts'

/** What is sent to the token server. */
export interface TokenRequest {
  readonly url: URL
  /** How the client says who it is: in the form, or as Authorization: Basic. */
  readonly headers: Readonly<Record<string, string>>
  /** `grant_type=client_credentials&…` */
  readonly form: string
}

export interface AccessTokens {
  /** Returns a token that is not about to expire. Throws SvcError `http-status`, `http-failed` or `http-body`. */
  current(): Promise<string>
  /** Called with a token that the service refused, so that the next one is fetched. */
  refused(token: string): void
}

export interface TokenAnswer {
  readonly body: Body | undefined
}

/** A token that expires within this time, in milliseconds, is not used any more. */
const margin = 30_000

interface Token {
  readonly text: string
  /** Milliseconds since the epoch; undefined if the server does not say. */
  readonly expires: number | undefined
}

export function createAccessTokens(
  ask: () => Promise<TokenAnswer>,
  { secrets, now, shown }: { readonly secrets: Secrets; readonly now: () => Date; readonly shown: string },
): AccessTokens {
  let known: Token | undefined
  let coming: Promise<Token> | undefined
  const fetchOne = async (): Promise<Token> => {
    const asked = now().getTime()
    const { text, seconds } = await readToken(await ask(), shown)
    secrets.add(text)
    return { text, expires: seconds === undefined ? undefined : asked + seconds * 1000 }
  }
  const isUsable = ({ expires }: Token) => expires === undefined || expires - margin > now().getTime()
  return {
    async current() {
      if (known !== undefined && isUsable(known)) return known.text
      // Requests that wait at the same time share one token.
      coming ??= fetchOne().finally(() => {
        coming = undefined
      })
      known = await coming
      return known.text
    },
    refused(text) {
      if (known?.text === text) known = undefined
    },
  }
}

async function readToken(
  { body }: TokenAnswer,
  shown: string,
): Promise<{ readonly text: string; readonly seconds: number | undefined }> {
  const pieces: Buffer[] = []
  for await (const piece of body?.pieces() ?? []) pieces.push(piece)
  const answer = parsed(Buffer.concat(pieces).toString('utf8'))
  const text = answer?.['access_token']
  if (typeof text !== 'string' || text === '') {
    throw new SvcError('http-body', `the token server (${shown}) answers without an access_token`, {
      hint: 'Check ingest.auth.token_url: it is the address that gives tokens, not the one where people log in.',
    })
  }
  const seconds = Number(answer?.['expires_in'])
  return { text, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
