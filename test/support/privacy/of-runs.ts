/** Runs that succeed, fail, are refused or are killed. */
import {
  does,
  failsInAllModes,
  type Happening,
  inAllModes,
  isText,
  killed,
  killedWhenAsked,
  lookBack,
} from './doing.ts'
import type { Stage } from './stage.ts'

/** The next run, without the asset at which the last one was killed. */
const without = (asset: string) => async (stage: Stage) => {
  stage.project.remove(`models/${asset}.svc`)
  await stage.svc(['run'])
  await lookBack(stage)
}

export const ofRuns: readonly Happening[] = [
  {
    name: 'a run is deployed',
    async does(stage) {
      await does(stage, ['run'])
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
    settles: without('waits'),
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
    settles: without('slow'),
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
]
