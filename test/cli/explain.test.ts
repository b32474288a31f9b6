import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { diagnosticCodes } from '../../server/language/index.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })

let ground: Ground
beforeAll(() => {
  ground = createGround({})
})
afterAll(() => ground.dispose())

it('explains a problem with an example and its correction, outside a project too', async () => {
  const { code, stdout } = await ground.line(['explain', 'sql-null-comparison'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
    "sql-null-comparison  warning
    A comparison with NULL (= NULL, <> NULL, != NULL) is never true, not even for
    NULL.

    models/orders.svc:
      name: orders
      ingest: none
      transform: SELECT id FROM (SELECT 1 AS id, 2.5 AS amount, TRUE AS paid) WHERE amount = NULL

    Fix: Write IS NULL, IS NOT NULL or IS DISTINCT FROM.

    models/orders.svc:
      name: orders
      ingest: none
      transform: SELECT id FROM (SELECT 1 AS id, 2.5 AS amount, TRUE AS paid) WHERE amount IS NULL

    sql-null-comparison  warning of a run
    SQL compares with NULL by = or <>, which is never true.

    Fix: docs/warnings.md tells how warnings are kept, and how --strict makes new
    ones fail a run.
    "
  `)
})

it('explains an error, and a code that is both', async () => {
  expect((await ground.line(['explain', 'warehouse-locked'])).stdout).toMatch(
    /^warehouse-locked {2}exit code 3\nAnother process has the warehouse file open/,
  )
  const { stdout } = await ground.line(['explain', 'unit-test-failed', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    explanations: [
      { kind: 'diagnostic', example: [{ path: 'models/revenue.svc' }, {}] },
      { kind: 'error', severity: 'exit code 1', example: [], fixed: null },
    ],
  })
})

describe('a key of a file', () => {
  it('is shown with what it may be and the keys below it', async () => {
    const { code, stdout } = await ground.line(['explain', 'deploy.materialize'])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "deploy.materialize  .svc file · table, view, ephemeral · default table
      How the result of the query is stored.

      Values:
        table      A table, rebuilt when something changed.
        view       A view over the tables that it reads.
        ephemeral  A part of the queries that read it; nothing in production.
      "
    `)
    expect((await ground.line(['explain', 'contract'])).stdout).toMatchInlineSnapshot(`
      "contract  .svc file · mapping
      What the source promises; checked on every load.

      Keys:
        evolution         What happens when the source changes shape. (evolve, freeze,
                          discard_row, discard_value, or a mapping)
        enforce_types     A record with a value that does not fit its declared type is
                          rejected; otherwise the value becomes NULL. (true or false;
                          default false)
        required_columns  Columns that must be there. (text, or a list)
        columns           Its columns: {id: bigint}, or a mapping for more. (mapping:
                          column → text, or a mapping)
        tables            What child tables promise, by the name in {{ source('lines')
                          }}: {lines: {columns: {quantity: integer}}}. (mapping: child
                          table → mapping)
        constraints       Keys of the built table: a run whose rows break one fails,
                          and nothing is promoted. (mapping)
        allow_empty       Whether a source that had records may have none; otherwise
                          the asset fails (source-empty). (true or false; default
                          false)
        max_rejects       How many records may be rejected or lose a value, 10 or 1%;
                          beyond that the asset fails. (whole number or percentage
                          (10, 1%); default 0 rejected records, unless a discard mode
                          asks for them; any number that lose a value)

      More of a key: svc explain contract.evolution
      "
    `)
  })

  it('may be that of a type, or have types of its own', async () => {
    expect((await ground.line(['explain', 'ingest.auth'])).stdout).toMatchInlineSnapshot(`
      "ingest.auth (type: rest_api)  .svc file · a type, or a mapping · default none
      The authentication of requests. Short form: the type alone.

      type: none  Requests are not authenticated.

      type: bearer  Authorization: Bearer, with the token or the credentials of the
      source.
        token  The token, where it is not the credentials; env:NAME keeps it out of
               the file. (text)

      type: basic  Authorization: Basic.
        username  Who asks. (text; required)
        password  The password, where it is not the credentials; env:NAME keeps it out
                  of the file. (text)

      type: api_key  A key in a header, in the query or in a cookie.
        name   Name of the header, parameter or cookie. (text; required)
        value  The key, where it is not the credentials; env:NAME keeps it out of the
               file. (text)
        in     Where the key is sent. (header, query, cookie; default header)

      type: oauth2  A token of an OAuth 2 server, fetched again when it expires.
        token_url      The address that gives tokens. (text; required)
        client_id      Who asks for a token. (text; required)
        client_secret  The secret of the client, where it is not the credentials;
                       env:NAME keeps it out of the file. (text)
        refresh_token  A refresh token, in place of the rights of the client itself;
                       env:NAME keeps it out of the file. (text)
        scope          What the token has to allow, such as orders.read. (text)
        audience       What the token is for, where the server asks for it. (text)
        client         How the client says who it is. (basic, form; default basic)

      type: session  A token or cookies got by logging in, and got again when the
      service refuses them.
        login_url     The address that takes the login. (text; required)
        method        HTTP method of the login. (POST, GET; default POST)
        headers       Headers of the login; a value may be env:NAME. (mapping: header
                      → text)
        body          Body of the login; texts in it may be env:NAME, which keeps
                      secrets out of the file. (any value)
        format        How the body of the login is written. (json, form; default json)
        token_path    Path of the token in the answer, such as data.token; without it
                      the cookies of the answer are sent. (text)
        name          Name of the header, parameter or cookie that carries the token.
                      (text; default Authorization)
        in            Where the token is sent. (header, query, cookie; default header)
        prefix        What stands before the token. (text; default "Bearer " in the
                      header Authorization)
        expires_path  Path of the seconds that the token lives, so that it is renewed
                      before. (text)
        renew_on      Statuses by which the service says that the session has ended.
                      (text, or a list)
      "
    `)
    const { stdout } = await ground.line(['explain', 'ingest'])
    expect(stdout).toContain('The keys of one type: svc explain ingest.rest_api')
    expect((await ground.line(['explain', 'ingest.rest_api'])).stdout).toMatch(
      /^ingest \(type: rest_api\) {2}\.svc file · mapping\nAn HTTP API that answers with JSON\./,
    )
  })

  it('of several files is listed, and one of a code too', async () => {
    expect((await ground.line(['explain', 'type'])).stdout).toMatch(
      /^Several keys are called so\.[\s\S]*\n {2}ingest\.paginate\.type /,
    )
    const { stdout } = await ground.line(['explain', 'publish.type', '--json'])
    const told = JSON.parse(stdout) as unknown
    expect(told).toMatchObject({
      explanations: [],
      keys: [{ file: 'asset', path: 'publish.<target>.type', required: false }],
    })
    ajv.validate(outputSchemas['explain'] ?? false, told)
    expect(ajv.errors).toBeNull()
  })

  it('that there is not gets the nearest ones', async () => {
    expectRefusal(await ground.line(['explain', 'ingest.auht']), 2, 'did you mean "ingest.auth"')
    expectRefusal(await ground.line(['explain', 'xyzzy.quux']), 2, 'svc explain contract')
  })
})

it('lists every code, and names the nearest one', async () => {
  const { stdout } = await ground.line(['explain'])
  for (const { code } of diagnosticCodes()) expect(stdout).toContain(`${code} `)
  expectRefusal(await ground.line(['explain', 'sql-unknown-colum']), 2, 'did you mean "sql-unknown-column"')
})
