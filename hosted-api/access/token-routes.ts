/** `/api/svc/tokens`: create, list, rotate and revoke tokens; read the rights of one's own (section 5). */
import { type Static, Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  type Call,
  closed,
  created,
  defineRoute,
  invalidAt,
  notFound,
  ok,
  oneOf,
  type Principal,
  Problem,
  RecordId,
  type Reply,
  requireProject,
  scopes,
} from '../http/index.ts'
import type { Tx } from '../storage/index.ts'
import type { TokenReader } from './authenticate.ts'
import { beyond } from './rights.ts'
import {
  createToken,
  day,
  defaultLifetime,
  type FreshToken,
  findToken,
  listTokens,
  longestGrace,
  longestLifetime,
  longestTokenName,
  Projects,
  revokeToken,
  rightsOf,
  rotateToken,
  type TokenBirth,
  type TokenChange,
  TokenRecord,
  tokenNamePattern,
  tokenNameProblem,
} from './tokens.ts'

const ScopeList = Type.Array(oneOf(scopes), { minItems: 1, maxItems: 100, uniqueItems: true })
const TokenAnswer = Type.Object({ success: Type.Literal(true), token: TokenRecord })

const SecretAnswer = Type.Object({
  ...TokenAnswer.properties,
  secret: Type.String({ description: 'The token itself. It is shown this once; only its hash is kept.' }),
})

const NewToken = closed(
  {
    name: Type.String({
      minLength: 1,
      maxLength: longestTokenName,
      examples: ['ci'],
      pattern: tokenNamePattern,
      rule: 'has to be one line of visible text, and not "bootstrap"',
      description: 'Stands in the audit log and in created_by. "bootstrap" is reserved.',
    }),
    scopes: ScopeList,
    projects: Projects,
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestLifetime,
        description: `${defaultLifetime} when left out, or until the own token ends. No token gives more life than it has.`,
      }),
    ),
    never_expires: Type.Optional(
      Type.Literal(true, {
        description:
          'Only a token with all scopes and all projects that never expires itself may ask for it.',
      }),
    ),
  },
  { $id: 'NewToken' },
)

const Rotation = closed({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: longestGrace,
      description: 'How many seconds the old token stays valid; 0 when left out.',
    }),
  ),
})

const ById = Type.Object({ id: RecordId })

const about = { tag: 'tokens', project: { from: 'none' } } as const

type Tokens = Pick<TokenReader, 'forget'>

export function tokenRoutes(tokens: Tokens): readonly AnyRoute[] {
  return [createRoute, ...readRoutes, rotateRoute(tokens), revokeRoute(tokens)]
}

const createRoute = defineRoute({
  ...about,
  id: 'createToken',
  method: 'POST',
  path: '/api/svc/tokens',
  summary: 'Make a token with some of the scopes and projects of the own one.',
  scope: 'tokens:admin',
  body: NewToken,
  responses: { 201: SecretAnswer },
  secret: true,
  handle: create,
})

const readRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...about,
    id: 'listTokens',
    method: 'GET',
    path: '/api/svc/tokens',
    summary: 'List the tokens whose projects the own token sees, oldest first.',
    scope: 'tokens:admin',
    responses: { 200: Type.Array(TokenRecord) },
    isLong: true,
    handle: async ({ storage, principal }) => {
      const all = await listTokens(storage.reads, storage.clock())
      return ok(all.filter(token => isVisible(principal, token)))
    },
  }),
  defineRoute({
    ...about,
    id: 'getOwnToken',
    method: 'GET',
    path: '/api/svc/tokens/self',
    summary: 'What the own token is and may do.',
    scope: 'any',
    responses: { 200: TokenAnswer },
    handle: async ({ storage, principal }) => {
      const token = await findToken(storage.reads, principal.tokenId, storage.clock())
      if (token === undefined) throw notFound('record')
      return ok({ success: true, token })
    },
  }),
  defineRoute({
    ...about,
    id: 'getToken',
    method: 'GET',
    path: '/api/svc/tokens/:id',
    summary: 'One token.',
    scope: 'tokens:admin',
    params: ById,
    responses: { 200: TokenAnswer },
    handle: async call => ok({ success: true, token: await requireVisible(call) }),
  }),
]

function rotateRoute(tokens: Tokens): AnyRoute {
  return defineRoute({
    ...about,
    id: 'rotateToken',
    method: 'POST',
    path: '/api/svc/tokens/:id/rotate',
    summary:
      'Replace a token by a new one with the same rights and lifetime, which is not to end later than the own token.',
    scope: 'tokens:admin',
    params: ById,
    body: Rotation,
    bodyRule: { optional: true },
    responses: { 201: SecretAnswer },
    secret: true,
    handle: call =>
      change(tokens, call, async tx => {
        const { grace_seconds: grace = 0 } = call.body
        const fresh = await rotateToken(tx, call.params.id, grace, birthBy(call))
        if (fresh === undefined) throw ended()
        return freshReply(fresh)
      }),
  })
}

function revokeRoute(tokens: Tokens): AnyRoute {
  return defineRoute({
    ...about,
    id: 'revokeToken',
    method: 'DELETE',
    path: '/api/svc/tokens/:id',
    summary: 'End a token now. Its own token may end itself.',
    scope: 'tokens:admin',
    params: ById,
    responses: { 200: TokenAnswer },
    handle: call =>
      change(tokens, call, async tx => {
        const token = await revokeToken(tx, call.params.id, changeBy(call))
        return ok({ success: true, token })
      }),
  })
}

/** Changes a token that the caller sees and whose rights it has. */
async function change(
  tokens: Tokens,
  call: Call<Static<typeof ById>>,
  work: (tx: Tx) => Promise<Reply>,
): Promise<Reply> {
  requireWithin(call.principal, await requireVisible(call))
  const reply = await call.write(work)
  tokens.forget()
  return reply
}

async function create(call: Call<unknown, unknown, Static<typeof NewToken>>) {
  const { body, principal, storage } = call
  const order = {
    name: body.name,
    scopes: scopes.filter(scope => body.scopes.includes(scope)),
    projects: body.projects,
    lifetime: lifetimeOf(call),
  }
  const problem = tokenNameProblem(order.name)
  if (problem !== undefined) throw invalidAt('/name', 'not_allowed', problem)
  // A project that does not exist and one that the token may not access get the same answer.
  if (order.projects !== 'all') for (const id of order.projects) await requireProject(storage, principal, id)
  requireWithin(principal, order)
  if (order.lifetime === undefined) requireEverything(principal)
  return call.write(async tx => freshReply(await createToken(tx, order, birthBy(call))))
}

/** Without a wish it is the usual one, or what the own token has left. */
function lifetimeOf({ body, principal, storage }: Call<unknown, unknown, Static<typeof NewToken>>) {
  if (body.never_expires === true) return undefined
  if (body.expires_in_days !== undefined) return body.expires_in_days * day
  return Math.min(defaultLifetime * day, principal.expiresAt - storage.clock().getTime())
}

function freshReply({ secret, record }: FreshToken) {
  return created(`/api/svc/tokens/${record.id}`, { success: true, token: record, secret })
}

async function requireVisible({
  storage,
  principal,
  params,
}: Call<Static<typeof ById>>): Promise<TokenRecord> {
  const token = await findToken(storage.reads, params.id, storage.clock())
  if (token === undefined || !isVisible(principal, token)) throw notFound('record')
  return token
}

/**
 * A token with a project that the caller may not access is hidden, because its list of projects would reveal
 * that project.
 */
function isVisible(principal: Principal, { projects }: TokenRecord): boolean {
  return beyond(principal, rightsOf({ scopes: [], projects })).length === 0
}

/**
 * Without this check, anybody who may create tokens could create one with all rights.
 * @throws Problem `forbidden`
 */
function requireWithin(principal: Principal, order: Pick<TokenRecord, 'scopes' | 'projects'>): void {
  const more = beyond(principal, rightsOf(order))
  if (more.length === 0) return
  throw new Problem('forbidden', `Your token cannot give what it does not have: ${more.join(', ')}.`)
}

function requireEverything(principal: Principal): void {
  if (beyond(principal, rightsOf({ scopes, projects: 'all' })).length === 0) return
  throw new Problem(
    'forbidden',
    'Only a token with all scopes and all projects makes one that never expires.',
  )
}

function ended(): Problem {
  return new Problem('ended', 'The token has ended already: make a new one.')
}

function changeBy({ principal, requestId, storage }: Call): TokenChange {
  return { author: { actor: principal.actor, requestId }, now: storage.clock() }
}

function birthBy(call: Call): TokenBirth {
  return { ...changeBy(call), latest: call.principal.expiresAt }
}
