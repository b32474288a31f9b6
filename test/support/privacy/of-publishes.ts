/** Publishes that a target refuses, that are sent again, that are killed. */
import {
  does,
  failsInAllModes,
  type Happening,
  inAllModes,
  killed,
  killedWhenAsked,
  lookBack,
} from './doing.ts'
import type { Stage } from './stage.ts'
import { makeWith } from './ways.ts'

const target = (stage: Stage, more = '') =>
  `publish:\n  there: {type: http, endpoint: "${stage.origin}", resource: taken, key: id, environments: [dev], limits: {retries: 0}${more}}\n`

const toTable = (type: string, endpoint: string) =>
  `publish:\n  there: {type: ${type}, endpoint: "${endpoint}", resource: people, key: id, environments: [dev]}\n`

const publishes = ['publish', 'people', '--to', 'there']

async function started(stage: Stage, tail: string): Promise<void> {
  stage.people({ tail })
  await does(stage, ['run'])
}

export const ofPublishes: readonly Happening[] = [
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
]
