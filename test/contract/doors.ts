/**
 * Everything that leaves × every guard. Each cell names the test that holds the guard at that door, or says why there is nothing
 * to hold; `doors.test.ts` fails where a cell is empty or its test is gone.
 */

export const doors = [
  'publish',
  'publish again',
  'retry',
  'replay',
  'notifications',
  'lineage events',
  'upload',
  'ai',
  'mcp',
  'samples',
  'rejects',
  'log of a run that passed',
  'log of a run that failed',
  '--debug',
] as const
export const guards = ['policy', 'mask', 'pii', 'mode', 'on_delete', 'scope', 'limit'] as const

export type Door = (typeof doors)[number]
export type Guard = (typeof guards)[number]

export type Cell =
  /** A file of tests, and the title of one in it as it is written there. */
  | { readonly file: string; readonly title: string }
  /** A case of the suite `privacy`: what happens, and the way in. */
  | { readonly happening: string; readonly way: string }
  | { readonly doesNotApplyBecause: string }

const held = (file: string, title: string): Cell => ({ file: `test/${file}.test.ts`, title })
const privacy = (happening: string, way: string): Cell => ({ happening, way })
const because = (doesNotApplyBecause: string): Cell => ({ doesNotApplyBecause })

const noTarget = {
  mode: because('it changes no rows at a target: only svc publish does'),
  on_delete: because('it takes no rows away at a target: only svc publish does'),
}
const hides = 'a log hides what is personal, whichever policies there are, and lets nothing through'

export const cells: Readonly<Record<Door, Readonly<Record<Guard, Cell>>>> = {
  publish: {
    policy: held('cli/publish/publish', 'stops personal data at the door, and lets the rest through'),
    mask: privacy('a target refuses its row and repeats it', 'csv masked'),
    pii: privacy('a target refuses its row and repeats it', 'csv text'),
    mode: held('cli/publish/databases', 'insert changes nothing that is there; update inserts nothing'),
    on_delete: held(
      'cli/publish/databases',
      'on_delete: mark writes the time into what is gone, and takes it out of what comes back',
    ),
    scope: held(
      'cli/publish/publish',
      'is published: not what was previewed, and nothing before the first run',
    ),
    limit: held(
      'cli/publish/publish',
      'stops a publish that would change most of what is there, unless it is told to',
    ),
  },
  'publish again': {
    policy: held('cli/publish/doubts', 'go nowhere where a strict policy was added'),
    mask: privacy('a target falls with its row, and gets it again', 'csv masked'),
    pii: privacy('a target falls with its row, and gets it again', 'csv text'),
    mode: held(
      'cli/publish/doubts',
      'that have gone from production are deleted where that is meant, and not sent where it is not',
    ),
    on_delete: held('cli/publish/doubts', 'that were marked have the time again that they had'),
    scope: held(
      'cli/publish/doubts',
      'of another place are sent to the one that is named now, and the other is told of',
    ),
    limit: held('cli/doors', 'go nowhere where they are more than max_change allows by now'),
  },
  retry: {
    ...noTarget,
    policy: held('cli/doors', 'is stopped by a strict policy that was added after the run'),
    mask: privacy('the SQL raises an error with it', 'csv masked'),
    pii: privacy('the SQL raises an error with it', 'csv text'),
    scope: held('cli/doors', 'takes no run of another environment'),
    limit: held('cli/doors', 'keeps to a budget of rejects that was made smaller after the run'),
  },
  replay: {
    ...noTarget,
    policy: held('cli/doors', 'is stopped by a strict policy that was added after the run'),
    mask: held('engine/ingest/mask', 'in rejects'),
    pii: privacy('its record is kept apart', 'csv text'),
    scope: held('cli/doors', 'brings nothing back in another environment'),
    limit: held('cli/doors', 'keeps to a budget of rejects that was made smaller after the run'),
  },
  notifications: {
    ...noTarget,
    policy: held('cli/doors', 'that refuses a run is told to notifiers, without what it protects'),
    mask: privacy('a run that fails is told to others', 'csv masked'),
    pii: held(
      'cli/notify/webhooks',
      'is told of a failure once, and of its end, without the values of persons',
    ),
    scope: held('cli/notify/webhooks', 'is told what it asks for: events, environments, assets'),
    limit: held('cli/notify/webhooks', 'is told of no more than its limit, and of the rest later'),
  },
  'lineage events': {
    ...noTarget,
    policy: held(
      'cli/openlineage/events',
      'that was refused has begun and failed, also where no file can be read',
    ),
    mask: privacy('a run that fails is told to others', 'csv masked'),
    pii: held('cli/openlineage/events', 'whose test fails has written nothing, and names no value'),
    scope: held('cli/openlineage/events', 'is not told where its environment is not'),
    limit: held('cli/openlineage/server', 'that refuses the first event is not asked for the others'),
  },
  upload: {
    ...noTarget,
    policy: held('cli/doors', 'that is broken lets no pack leave'),
    mask: held('cli/upload/upload', 'carries to the store what of personal data can be read, and what not'),
    pii: privacy('a run that fails is told to others', 'csv text'),
    scope: held(
      'cli/upload/upload',
      'is refused for another project, a wrong token and a project that is not there',
    ),
    limit: held(
      'cli/upload/upload',
      'sends the same request again after a failure, under one key, compressed',
    ),
  },
  ai: {
    ...noTarget,
    policy: privacy('a model is asked', 'csv by a policy'),
    mask: privacy('a model is asked', 'csv masked'),
    pii: held('cli/ai/context', 'has no secret, no value of a row, and no personal value of a unit test'),
    scope: held('cli/ai/config', "never lets a project's address have the user's own key"),
    limit: held(
      'cli/ai/context',
      'keeps to its size: far assets lose their SQL, or are left out, the middle stays',
    ),
  },
  mcp: {
    ...noTarget,
    policy: privacy('an agent asks', 'csv by a policy'),
    mask: privacy('an agent asks', 'csv masked'),
    pii: held('cli/mcp/mcp', 'personal values that stand in files are in no answer'),
    scope: held('cli/mcp/mcp', 'only looks, unless writing is allowed, and never touches production'),
    limit: held('cli/mcp/mcp', 'an answer that is too long is refused with what to ask for instead'),
  },
  samples: {
    ...noTarget,
    policy: held('cli/personal-samples', 'columns that a policy names'),
    mask: privacy('it is looked at', 'csv masked'),
    pii: held('cli/personal-samples', 'what flows into a column, nested data too, and not what is counted'),
    scope: held(
      'cli/samples-of-environments',
      'each keeps its own, and a collection takes those of its project alone',
    ),
    limit: held('cli/sample-query', 'may be those of a CTE, as many as are asked for'),
  },
  rejects: {
    ...noTarget,
    policy: privacy('its record is kept apart', 'csv by a policy'),
    mask: held('engine/ingest/mask', 'in rejects'),
    pii: held('cli/rejects', 'never shows a personal value, in raw JSON or in a message'),
    scope: held('cli/rejects', 'shows nothing of another environment'),
    limit: held('cli/rejects', 'of one asset, the first ones, of one run'),
  },
  'log of a run that passed': {
    ...noTarget,
    policy: because(hides),
    mask: privacy('a run is deployed', 'csv masked'),
    pii: privacy('a run is deployed', 'csv text'),
    scope: held('cli/logs', 'holds everything, for its owner only, and svc logs prints it'),
    limit: held('cli/logs', 'keeps the newest 50 and no more than 100 MB'),
  },
  'log of a run that failed': {
    ...noTarget,
    policy: privacy('a policy refuses it', 'csv text'),
    mask: privacy('the SQL raises an error with it', 'csv masked'),
    pii: held('cli/personal-logs', 'of a record that an asset without max_rejects refuses'),
    scope: held(
      'cli/logs',
      'is begun by every run that was asked for, a refused one too, and by nothing else',
    ),
    limit: held('cli/logs', 'keeps the newest 50 and no more than 100 MB'),
  },
  '--debug': {
    ...noTarget,
    policy: because(hides),
    mask: privacy('a run is deployed', 'csv masked'),
    pii: privacy('tests fail and cannot run', 'csv text'),
    scope: held('cli/logs', 'shows requests without their secrets'),
    limit: because('it prints what the log keeps, and whoever asks for it reads it at once'),
  },
}
