/** What happens to a personal value that is in a project: runs that succeed, fail, are refused, killed, shown, sent. */
import type { RunOptions } from '../cli.ts'
import { startModelServer } from '../model-servers.ts'
import { answerOfTool } from './agent.ts'
import type { Stage } from './stage.ts'
import { makeWith, type Way } from './ways.ts'

export interface Happening {
  readonly name: string
  /** The files that a killed process leaves by their paths: they are as they came, or what the next command needs to know. */
  readonly leaves?: RegExp
  /** What comes next: then they are gone, too. */
  readonly settles?: (stage: Stage) => Promise<void>
  readonly needsPostgres?: boolean
  /** Absent: with every way. */
  readonly for?: (way: Way) => boolean
  does(stage: Stage): Promise<void>
}

const modes = [[], ['--debug'], ['--log-format', 'json'], ['--log-format', 'json', '--debug']]

async function inAllModes({ svc }: Stage, words: readonly string[]): Promise<void> {
  for (const mode of modes) await svc([...words, ...mode])
}

/** A case in which nothing fails would find nothing. */
async function failsInAllModes({ svc }: Stage, words: readonly string[]): Promise<void> {
  for (const mode of modes) {
    const { code, stderr } = await svc([...words, ...mode])
    if (code === 0) throw new Error(`svc ${words.join(' ')} did not fail: ${stderr}`)
  }
}

/** Runs a command that is killed by what it is given. */
async function killed(stage: Stage, words: readonly string[], onStart: RunOptions['onStart']): Promise<void> {
  const { code, stderr } = await stage.alone(words, { ...(onStart && { onStart }) })
  if (code !== null) throw new Error(`svc ${words.join(' ')} was not killed: ${stderr}`)
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

const toTable = (type: string, endpoint: string) =>
  `publish:\n  there: {type: ${type}, endpoint: "${endpoint}", resource: people, key: id, environments: [dev]}\n`

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
  await killed(stage, words, child => {
    kill = () => child.kill('SIGKILL')
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
      await failsInAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'the SQL raises an error with it',
    async does(stage) {
      stage.asset('raises', `SELECT error('bad ' || ${stage.way.who}) AS n FROM {{ ref('people') }}`)
      await failsInAllModes(stage, ['run'])
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
      await failsInAllModes(stage, ['run'])
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
      await failsInAllModes(stage, ['run'])
      await failsInAllModes(stage, ['test'])
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
      await failsInAllModes(stage, ['run'])
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
      await failsInAllModes(stage, ['run'])
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
      await failsInAllModes(stage, ['run', '--full-refresh'])
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
      await failsInAllModes(stage, publishes)
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
      await failsInAllModes(stage, publishes)
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
      await failsInAllModes(stage, publishes)
    },
  },
  {
    name: 'a table refuses its row',
    async does(stage) {
      await makeWith(
        stage.project.root,
        "ATTACH '<root>/other.duckdb' AS other",
        'CREATE TABLE other.people (id BIGINT PRIMARY KEY, who VARCHAR CHECK (CAST(concat(who) AS INTEGER) > 0), who__mail VARCHAR CHECK (CAST(concat(who__mail) AS INTEGER) > 0), contact VARCHAR CHECK (CAST(concat(contact) AS INTEGER) > 0), note VARCHAR)',
      )
      await started(stage, toTable('duckdb', 'duckdb:./other.duckdb'))
      await failsInAllModes(stage, publishes)
      await stage.svc(['rejects', 'people', '--to', 'there', '--json'])
      await lookBack(stage)
    },
  },
  {
    name: 'a trigger of PostgreSQL refuses its row',
    needsPostgres: true,
    async does(stage) {
      const endpoint = await stage.database(`
        CREATE TABLE people (id bigint PRIMARY KEY, who text, who__mail text, contact text, note text);
        CREATE FUNCTION strict() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'nobody writes %', to_jsonb(NEW) USING DETAIL = NEW::text, HINT = concat(NEW.who, NEW.contact); END $$;
        CREATE TRIGGER strict BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION strict()`)
      await started(stage, toTable('postgres', endpoint))
      await failsInAllModes(stage, publishes)
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
    settles: stage => inAllModes(stage, publishes),
  },
  {
    name: 'a publish is killed while it sends it as a key',
    leaves: /[/\\]publish[/\\].*keys\.parquet$/,
    for: ({ select }) => select === undefined,
    async does(stage) {
      await started(stage, target(stage).replace('key: id', 'key: [who, id]'))
      await killedWhenAsked(stage, publishes, '/taken')
      await stage.svc(['status'])
    },
    settles: stage => inAllModes(stage, publishes),
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
      await killed(stage, publishes, child => {
        kill = () => child.kill('SIGKILL')
      })
      stage.behave(() => undefined)
    },
  },
  {
    name: 'a run is killed while it fetches',
    leaves: /[/\\]spool[/\\]/,
    async does(stage) {
      // It is asked last, so that the records are there by then.
      stage.project.write(
        'models/waits.svc',
        `name: waits\ningest: {type: rest_api, endpoint: "${stage.origin}", resource: waits, paginate: none}\ntransform: SELECT * FROM {{ source }}\n`,
      )
      await killedWhenAsked(stage, ['run', '--threads', '1'], '/waits')
      await stage.svc(['status'])
    },
    async settles(stage) {
      stage.project.remove('models/waits.svc')
      await stage.svc(['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'a run is killed while it builds',
    leaves: /[/\\]spool[/\\]/,
    async does(stage) {
      const { who } = stage.way
      stage.asset(
        'slow',
        `SELECT max(${who} || x || y) AS n FROM {{ ref('people') }}, range(1000000) AS a(x), range(1000000) AS b(y)`,
      )
      await killed(stage, ['run', '--log-format', 'json'], child =>
        child.onOutput(text => {
          if (/"build-started".*"slow"/.test(text)) setTimeout(() => child.kill('SIGKILL'), 300)
        }),
      )
      await stage.svc(['status'])
    },
    async settles(stage) {
      stage.project.remove('models/slow.svc')
      await stage.svc(['run'])
      await lookBack(stage)
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
      await failsInAllModes(stage, ['run'])
      stage.behave(({ path }) =>
        path.startsWith('/lines') ? { status: 200, body: '[{"n": 1}]' } : undefined,
      )
      await inAllModes(stage, ['run'])
      await lookBack(stage)
    },
  },
  {
    name: 'a service says it in an answer that is none',
    for: ({ records }) => records !== undefined,
    async does(stage) {
      const { records = [] } = stage.way
      const whole = JSON.stringify(records)
      const answers = [
        whole.slice(0, -5),
        JSON.stringify({ data: { people: null }, errors: [{ message: whole }] }),
        JSON.stringify({ error: whole }),
        `<p>${whole}</p>`,
        JSON.stringify({ items: whole }),
      ]
      for (const body of answers) {
        stage.behave(({ path }) => (path.startsWith('/people') ? { status: 200, body } : undefined))
        await stage.svc(['run', '--debug'])
        await stage.svc(['plan'])
      }
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
