/** What happens to a personal value that is in a project: runs that succeed, fail, are refused, killed, shown, sent. */
import { startModelServer } from '../model-servers.ts'
import { answerOfTool } from './agent.ts'
import type { Stage } from './stage.ts'
import type { Way } from './ways.ts'

export interface Happening {
  readonly name: string
  /** Absent: with every way. */
  readonly for?: (way: Way) => boolean
  does(stage: Stage): Promise<void>
}

const modes = [[], ['--debug'], ['--log-format', 'json'], ['--log-format', 'json', '--debug']]

async function inAllModes({ svc }: Stage, words: readonly string[]): Promise<void> {
  for (const mode of modes) await svc([...words, ...mode])
}

/** What tells of a run afterwards. */
async function lookBack({ svc }: Stage): Promise<void> {
  for (const words of [
    'status',
    'status --json',
    'logs',
    'logs --list',
    'versions people',
    'freshness',
    'plan',
    'plan --json',
  ])
    await svc(words.split(' '))
}

const isText = ({ mark }: Way) => mark.includes('varchar')

const target = (stage: Stage, more = '') =>
  `publish:\n  there: {type: http, endpoint: "${stage.origin}", resource: taken, key: id, environments: [dev], limits: {retries: 0}${more}}\n`

const publishes = ['publish', 'people', '--to', 'there']

async function started(stage: Stage, tail: string): Promise<void> {
  stage.people({ tail })
  await stage.svc(['run'])
}

/** Kills the command as soon as the service is asked for something. */
async function killedWhenAsked(stage: Stage, words: readonly string[], path: string): Promise<void> {
  let kill = () => {}
  stage.behave(request => {
    if (!request.path.includes(path)) return undefined
    kill()
    return new Promise<never>(() => {})
  })
  await stage.alone(words, {
    onStart: child => {
      kill = () => child.kill('SIGKILL')
    },
  })
  stage.behave(() => undefined)
}

export const happenings: readonly Happening[] = [
  {
    name: 'a run is deployed',
    async does(stage) {
      await inAllModes(stage, ['run', '--full-refresh'])
      await lookBack(stage)
    },
  },
  {
    name: 'a cast fails',
    async does(stage) {
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'the SQL raises an error with it',
    async does(stage) {
      stage.asset('raises', `SELECT error('bad ' || ${stage.way.who}) AS n FROM {{ ref('people') }}`)
      await inAllModes(stage, ['run'])
      await stage.svc(['retry'])
      await lookBack(stage)
    },
  },
  {
    name: 'a statement around the build raises it',
    async does(stage) {
      const { who } = stage.way
      stage.asset(
        'around',
        `SELECT id, ${who} AS w FROM {{ ref('people') }}`,
        'deploy: {after: "CREATE UNIQUE INDEX ones ON {{ this }} (w)"}\n',
      )
      stage.asset(
        'before',
        'SELECT 1 AS n',
        `deploy: {before: "CREATE TEMPORARY TABLE t AS SELECT CAST('x' || ${who} AS INTEGER) AS n FROM {{ ref('people') }}"}\n`,
      )
      stage.asset(
        'doubled',
        `SELECT 1 AS id, ${who} AS w FROM {{ ref('people') }}`,
        'deploy: {indexes: [{columns: [id, w], unique: true}]}\n',
      )
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'tests fail and cannot run',
    async does(stage) {
      const { who } = stage.way
      stage.asset(
        'tested',
        `SELECT id, ${who} AS w, 1 AS same FROM {{ ref('people') }}`,
        `tests:
  - accepted_values: {w: [x]}
  - unique: [w, same]
  - {name: shows, sql: "SELECT upper(w) AS other FROM {{ this }}"}
  - {name: bad, expression: "CAST('x' || w AS INTEGER) > 0"}
  - {name: wrong, expression: "w = 'nobody'"}
  - relationships: {w: {to: people, column: note}}
`,
      )
      await inAllModes(stage, ['run'])
      await inAllModes(stage, ['test'])
      await stage.svc(['test', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'its record is refused',
    async does(stage) {
      stage.people({
        contract: 'enforce_types: true',
        mark: 'note: integer, id: {type: varchar}, who: {type: "integer[]", pii: true}',
      })
      await inAllModes(stage, ['run'])
      await stage.svc(['rejects', 'people'])
      await stage.svc(['rejects', 'people', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'its record is kept apart',
    async does(stage) {
      stage.people({
        contract: 'enforce_types: true, max_rejects: 100%, allow_empty: true',
        mark: 'who: {type: integer, pii: true}, note: integer',
      })
      await inAllModes(stage, ['run'])
      for (const words of [
        'rejects people',
        'rejects people --json',
        'rejects people --replay',
        'sample people --json',
      ])
        await stage.svc(words.split(' '))
      await lookBack(stage)
    },
  },
  {
    name: 'its column is another type without enforcement',
    async does(stage) {
      stage.people({ mark: 'who: {type: boolean, pii: true}, note: date' })
      await inAllModes(stage, ['run'])
      await stage.svc(['rejects', 'people', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'it is a key that comes twice',
    for: way => !way.ingest.includes('primary_key'),
    async does(stage) {
      stage.people({ ingest: 'primary_key: who' })
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'a policy refuses it',
    async does(stage) {
      await stage.svc(['run'])
      stage.project.write(
        'glossary.yaml',
        'policies:\n  - {name: Nobody, rule: x, pii_columns: [people.who, people.who__mail, people.contact], applies_to: ["*"], enforcement: strict}\n',
      )
      await inAllModes(stage, ['run', '--full-refresh'])
      for (const words of ['validate', 'preview', 'policy report', 'sample people', 'policy report --json'])
        await stage.svc(words.split(' '))
      await lookBack(stage)
    },
  },
  {
    name: 'a target refuses its row and repeats it',
    async does(stage) {
      await started(stage, target(stage))
      stage.behave(({ body }) => ({ status: 400, body: `no place for ${body}` }))
      await inAllModes(stage, publishes)
      await stage.svc([...publishes, '--json'])
      for (const words of ['rejects people --to there', 'rejects people --to there --json'])
        await stage.svc(words.split(' '))
      await lookBack(stage)
    },
  },
  {
    name: 'a target falls with its row, and gets it again',
    async does(stage) {
      await started(stage, target(stage))
      stage.behave(({ body }) => ({ status: 500, body: `fell over ${body}` }))
      await inAllModes(stage, publishes)
      await stage.svc([...publishes, '--dry-run', '--json'])
      stage.behave(() => undefined)
      await inAllModes(stage, publishes)
      await lookBack(stage)
    },
  },
  {
    name: 'a target sends it elsewhere by a redirect',
    async does(stage) {
      await started(stage, target(stage))
      stage.behave(({ body }) => ({
        status: 302,
        headers: { location: `http://other.example.com/?${encodeURIComponent(body)}` },
      }))
      await inAllModes(stage, publishes)
    },
  },
  {
    name: 'a table refuses its row',
    async does(stage) {
      await started(
        stage,
        'publish:\n  there: {type: duckdb, endpoint: "duckdb:./other.duckdb", resource: people, key: id, environments: [dev]}\n',
      )
      await stage.svc(publishes)
      stage.people({
        tail: `publish:\n  there: {type: duckdb, endpoint: "duckdb:./other.duckdb", resource: narrow, key: id, environments: [dev]}\n`,
      })
      await inAllModes(stage, publishes)
      await stage.svc(['rejects', 'people', '--to', 'there', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'a publish is killed while it sends it',
    async does(stage) {
      await started(stage, target(stage))
      await killedWhenAsked(stage, publishes, '/taken')
      await stage.svc(['status'])
    },
  },
  {
    name: 'a publish of another row is killed after one that was taken',
    async does(stage) {
      await started(stage, target(stage, ', batch: 1'))
      let taken = 0
      let kill = () => {}
      stage.behave(() => {
        if (taken++ === 0) return undefined
        kill()
        return new Promise<never>(() => {})
      })
      await stage.alone(publishes, {
        onStart: child => {
          kill = () => child.kill('SIGKILL')
        },
      })
      stage.behave(() => undefined)
    },
  },
  {
    name: 'a run is killed while it fetches',
    async does(stage) {
      stage.project.write(
        'models/hangs.svc',
        `name: hangs\ningest: {type: rest_api, endpoint: "${stage.origin}", resource: hangs, paginate: none}\ntransform: SELECT * FROM {{ source }}\n`,
      )
      await killedWhenAsked(stage, ['run', '--threads', '1'], '/hangs')
      await stage.svc(['status'])
    },
  },
  {
    name: 'a service repeats it in an error about its address',
    async does(stage) {
      const { who } = stage.way
      stage.asset('every', `SELECT DISTINCT ${who} AS w FROM {{ ref('people') }}`)
      stage.project.write(
        'models/lines.svc',
        `name: lines\ningest: {type: rest_api, endpoint: "${stage.origin}", resource: "lines/{{ parent.w }}", params: {q: "{{ parent.w }}"}, paginate: none, for_each: {asset: every}, limits: {retries: 0}}\ntransform: SELECT * FROM {{ source }}\n`,
      )
      stage.behave(({ path }) =>
        path.startsWith('/lines')
          ? { status: 500, body: `cannot answer ${path} ${decodeURIComponent(path)}` }
          : undefined,
      )
      await inAllModes(stage, ['run'])
      stage.behave(({ path }) =>
        path.startsWith('/lines') ? { status: 200, body: '[{"n": 1}]' } : undefined,
      )
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'it is the cursor of a load',
    for: way => way.ingest.includes('rest_api') && !way.ingest.includes('primary_key'),
    async does(stage) {
      stage.people({
        ingest:
          'params: {since: "{{ cursor }}"}, write: merge, primary_key: id, incremental: {cursor: who, start: "0"}, limits: {retries: 0}',
      })
      await inAllModes(stage, ['run'])
      stage.behave(({ path }) => ({ status: 500, body: `cannot answer ${path} ${decodeURIComponent(path)}` }))
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'it is looked at',
    async does(stage) {
      await stage.svc(['run'])
      stage.asset('copy', `SELECT id, upper(${stage.way.who}) AS w FROM {{ ref('people') }}`)
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      for (const words of [
        'sample people',
        'sample people --json',
        'sample people --source raw',
        'sample people --source model --json',
        'sample copy --query',
        'sample copy --query --json',
        'sample casts --query',
        'sample casts --query --json',
        'sample people --size 1',
        'inspect people',
        'inspect people --json',
        'ai context --json',
        'ai context --json --include-history',
        'manifest',
        'lineage --json',
        'ls --json',
        'validate --json',
      ])
        await stage.svc(words.split(' '))
    },
  },
  {
    name: 'a run that fails is told to others',
    async does(stage) {
      stage.project.write(
        'svc.yaml',
        `name: shop\nnotify: {team: {type: webhook, endpoint: "${stage.elsewhere}/hook", environments: [dev]}}\nopenlineage: {type: http, endpoint: "${stage.elsewhere}/lineage"}\n`,
      )
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      stage.asset(
        'tested',
        `SELECT id, ${stage.way.who} AS w FROM {{ ref('people') }}`,
        'tests: [{accepted_values: {w: [x]}}]\n',
      )
      const env = {
        SVC_HOSTED_URL: stage.elsewhere,
        SVC_HOSTED_TOKEN: `svc_test_${'0123456789abcdef'.repeat(2)}`,
      }
      await stage.svc(['run'], { env })
      stage.project.remove('models/casts.svc')
      stage.project.remove('models/tested.svc')
      await stage.svc(['run'], { env })
      await stage.svc(['upload'], { env })
    },
  },
  {
    name: 'its source drifts',
    for: way => Object.keys(way.files).length > 0 && isText(way),
    async does(stage) {
      await stage.svc(['run'])
      for (const [path, text] of Object.entries(stage.way.files)) {
        const [first = '', ...rest] = text.split('\n')
        stage.project.write(
          path,
          path.endsWith('.csv')
            ? [first, ...rest.map(line => line && `x${line},more`)].join('\n')
            : text.replaceAll('"id":', '"id":"x","was":'),
        )
      }
      await lookBack(stage)
      await inAllModes(stage, ['run'])
      await stage.svc(['rejects', 'people', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'an agent asks',
    async does(stage) {
      await stage.svc(['run'])
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      await stage.svc(['run'])
      const asked = [
        ...['list_assets', 'status', 'freshness', 'run_history', 'plan', 'validate', 'get_context'].map(
          name => [name, {}] as const,
        ),
        ...['get_asset', 'versions', 'rejects', 'sample'].map(name => [name, { asset: 'people' }] as const),
        ['sample', { asset: 'casts', query: true }] as const,
        ['run_log', {}] as const,
      ]
      for (const [name, input] of asked)
        stage.saw(`tool ${name}`, await answerOfTool(stage.project.root, name, input))
    },
  },
  {
    name: 'a model is asked',
    async does(stage) {
      await stage.svc(['run'])
      const server = await startModelServer('ollama')
      try {
        server.replies = [{ text: '{}' }]
        stage.project.write(
          'svc.yaml',
          `name: shop\nai: {provider: ollama, model: m, endpoint: "${server.endpoint}"}\n`,
        )
        stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
        await stage.svc(['run'])
        for (const words of [
          'ai explain people',
          'ai review people',
          'ai tests casts',
          'ai fix casts --error failed',
        ])
          await stage.svc(words.split(' '))
        for (const { body } of server.requests) stage.saw('asked of a model', body)
      } finally {
        await server.close()
      }
    },
  },
]
