/** Renders the end of a run: its outcome, which assets failed, and what to do next. Why is in the lines of the run. */
import { svcIn } from '@svc/server/language'
import { type VerdictRole, verdictLook, verdictWords } from '@svc/server/verdicts'
import { isUnitTestCode } from '../engine/quality/unit-results.ts'
import type { RunReport } from '../engine/run/events.ts'
import { rejectText } from '../engine/run/reject-text.ts'
import { reportVerdict, warningsTold } from '../engine/run/run-verdict.ts'
import { hasFailed } from '../engine/state/asset-versions.ts'
import { renderDiagnostics } from './diagnostics.ts'
import { countOf, formatAge, formatCount, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { displayWidth, wrap, wrapBehind } from './width.ts'

export function renderRunReport(
  report: RunReport,
  textOf: (path: string) => string | undefined,
  style: Style,
): string[] {
  const isPart = report.kept.length > 0 && report.status === 'deployed'
  const lines = isPart ? promotedInPart(report, style) : wholeOutcome(report, style)
  return [
    ...problemsIn(report, textOf, style),
    ...summary(report, style),
    ...rejected(report, style),
    ...leftBehind(report, style),
    ...lines,
    ...newSchema(report, style),
  ]
}

/** Another branch, or the first `git init`, has a schema of its own: its first deployment says which. */
function newSchema(
  { branchSchema, generation, promotedViews, environment }: RunReport,
  style: Style,
): string[] {
  if (branchSchema === undefined || generation !== 1 || promotedViews === 0) return []
  const { schema, branch } = branchSchema
  return wrap(`The schema of ${environment} is ${schema}, of the branch ${branch}.`, style.width)
}

/** Unit tests are shown by their rows, where they have run. */
function problemsIn(
  { problems = [] }: RunReport,
  textOf: (path: string) => string | undefined,
  style: Style,
) {
  const shown = problems.filter(({ code }) => !isUnitTestCode(code))
  return shown.length === 0 ? [] : ['', ...renderDiagnostics(shown, textOf, style)]
}

function wholeOutcome(report: RunReport, style: Style): string[] {
  return report.failure === undefined ? succeeded(report, style) : failed(report, style)
}

/** Of assets that failed, or are kept. */
const keptShown = 12

/** What failed stays as it was, so the sentence says both, and each kept asset its cause and the age of what is shown. */
function promotedInPart(report: RunReport, style: Style): string[] {
  const { kept, assets } = report
  const rest = countOf(assets.length - kept.length, 'asset')
  const sentence = `${verdict(report, style)}: run ${report.runId} to ${report.environment} in ${formatSeconds(report.seconds)}. ${rest} promoted, ${formatCount(kept.length)} kept as before:`
  return [
    ...wrap(sentence, style.width),
    ...keptLines(report, style),
    '',
    ...nextStep('After a fix:', svcIn(report.environment)('retry'), style),
    ...withUndo('', report, style)
      .map(line => line.trimStart())
      .filter(line => line !== ''),
  ]
}

function keptLines({ kept, finishedAt }: RunReport, style: Style): string[] {
  const age = (since: string | null) =>
    since === null
      ? 'not deployed'
      : `deployed ${formatAge((Date.parse(finishedAt) - Date.parse(since)) / 1000)}`
  const lines = kept
    .slice(0, keptShown)
    .flatMap(({ asset, because, since }) =>
      wrapBehind(`  ${style.red('✗')} `, `${asset} (${age(since)}): ${because}`, style.width),
    )
  const hidden = kept.length - keptShown
  return [...lines, ...(hidden > 0 ? [`  and ${formatCount(hidden)} more`] : [])]
}

/** `3 built, 18 reused, 1 failed, 2 held back` */
function summary(report: RunReport, style: Style): string[] {
  if (report.kind === 'promote' || report.kind === 'rollback') return []
  const words = [
    ['built', 'built', style.green],
    ['taken_over', 'taken over', style.green],
    ['unchanged', 'reused', style.dim],
    ['failed', 'failed', style.red],
    ['test_failed', 'with failed tests', style.red],
    ['skipped', 'held back', style.yellow],
  ] as const
  const facts = words.flatMap(([status, word, dress]) => {
    const count = report.assets.filter(asset => asset.status === status).length
    return count === 0 ? [] : [dress(`${formatCount(count)} ${word}`)]
  })
  return facts.length === 0 ? [] : ['', `  ${facts.join(', ')}`, '']
}

function succeeded(report: RunReport, style: Style): string[] {
  const time = formatSeconds(report.seconds)
  const svc = svcIn(report.environment)
  switch (report.kind) {
    case 'preview':
      return [
        `${verdictWith(`run ${report.runId}`, report, style)} in ${time}; ${report.environment} is as before.`,
        `Promote: ${svc(`promote ${report.runId}`)}`,
      ]
    case 'promote':
      return withUndo(
        `${verdictWith(`run ${report.runId}`, report, style)} to ${report.environment}: ${movedViews(report)} in ${time}.`,
        report,
        style,
      )
    case 'rollback':
      return withUndo(
        `${verdictWith(report.environment, report, style)}: ${movedViews(report)} in ${time}.`,
        report,
        style,
      )
    case 'run':
      return runSentence(report, time, style)
  }
}

/** `3 views`, `3 views, 1 removed`, `1 view removed` */
function movedViews({ promotedViews, removedViews }: RunReport): string {
  if (removedViews === 0) return countOf(promotedViews, 'view')
  if (promotedViews === 0) return `${countOf(removedViews, 'view')} removed`
  return `${countOf(promotedViews, 'view')}, ${formatCount(removedViews)} removed`
}

function runSentence(report: RunReport, time: string, style: Style): string[] {
  const { assets, promotedViews, removedViews } = report
  if (assets.length + removedViews === 0)
    return [`${verdict(report, style)} for ${report.environment}: no asset is selected.`]
  if (promotedViews + removedViews === 0 && assets.every(asset => asset.status === 'unchanged')) {
    if (report.grantedViews > 0)
      return [
        `${verdictWith(`run ${report.runId}`, report, style)} to ${report.environment} in ${time}: it changed who may read ${countOf(report.grantedViews, 'view')}.`,
      ]
    return allAsDeployed(report, time, style)
  }
  const sentence = `${verdictWith(`run ${report.runId}`, report, style)} to ${report.environment} in ${time}.`
  return withUndo(sentence, report, style)
}

/** `Deployed`, `Deployed with 2 warnings`, in its colour */
function verdict(report: RunReport, style: Style): string {
  const [word, warned] = [reportVerdict(report), warningsTold(report)]
  return dress(verdictLook(word, warned).role, style)(verdictWords(word, warned))
}

/** `Deployed run 5h1t8zkq2m`, `Deployed with 2 warnings: run 5h1t8zkq2m` */
function verdictWith(what: string, report: RunReport, style: Style): string {
  const word = reportVerdict(report)
  const isLonger = verdictWords(word, warningsTold(report)) !== word
  return `${verdict(report, style)}${isLonger ? ':' : ''} ${what}`
}

function dress(role: VerdictRole, style: Style): (text: string) => string {
  return { pass: style.green, warn: style.yellow, fail: style.red, quiet: style.dim }[role]
}

/** Nothing was built, but tests can have run: those that changed, that failed before, or that ask for the time. */
function allAsDeployed(report: RunReport, time: string, style: Style): string[] {
  const { environment, assets, tests } = report
  const ran = tests.filter(test => test.ran)
  const checked = `${verdict(report, style)} for ${environment}: ${countOf(assets.length, 'asset')} checked in ${time}, all as deployed`
  if (ran.length === 0) return [`${checked}.`]
  const warned = ran.filter(({ status }) => status === 'fail').length
  const outcome = warned === 0 ? 'passed' : `${formatCount(warned)} warned`
  return [`${checked}; ${countOf(ran.length, 'test')} ran, ${outcome}.`]
}

/** The first deployment of an environment has no state before it that a rollback could return to. */
function withUndo(sentence: string, { generation, environment }: RunReport, style: Style): string[] {
  if (generation === undefined || generation < 2) return [sentence]
  return nextStep(`${sentence} Undo:`, svcIn(environment)('rollback'), style)
}

/** Returns the lines about the log, after a failure. */
export function logLines(runId: string, path: string, style: Style): string[] {
  return nextStep(`Log: ${path}.`, `svc logs ${runId} --debug`, style)
}

/** A command that does not fit is written on its own line, so that it can be copied. */
function nextStep(sentence: string, command: string, style: Style): string[] {
  const line = `${sentence} ${command}`
  return displayWidth(line) <= style.width ? [line] : [sentence, `  ${command}`]
}

function failed(report: RunReport, style: Style): string[] {
  const { failure } = report
  if (failure === undefined) return []
  const own = report.assets.filter(hasFailed)
  const lines = own.length > 0 ? failedAssets(report, own, style) : reason(report, failure, style)
  lines.push(
    '',
    ...wrap(
      `Nothing was promoted: ${report.environment} is as before${liveRun(report)}${report.kept.length > 0 ? ':' : '.'}`,
      style.width,
    ),
    ...keptLines(report, style),
  )
  const kept = keptForALook(report)
  if (kept !== undefined) {
    const look = svcIn(report.environment)(`sample ${kept} --source model --run ${report.runId}`)
    lines.push(...nextStep('The failed tables are kept. Inspect them with:', look, style))
  }
  return lines
}

/** What no line of the run has told. */
function reason(
  report: RunReport,
  { message, place, hint }: NonNullable<RunReport['failure']>,
  style: Style,
): string[] {
  return [
    ...wrap(`${failedAfter(report, style)}. ${message}`, style.width),
    ...(place === undefined ? [] : [`  ${style.dim(place)}`]),
    ...(hint === undefined ? [] : wrap(hint, style.width - 2).map(line => `  ${line}`)),
  ]
}

/** The reason of each, and what to do, is in its line above. */
function failedAssets(report: RunReport, assets: RunReport['assets'], style: Style): string[] {
  const hidden = assets.length - keptShown
  const shown = assets.slice(0, keptShown).map(({ name }) => name)
  const names = hidden > 0 ? [...shown, `${formatCount(hidden)} more`] : shown
  return wrap(`${failedAfter(report, style)}: ${listed(names)} failed.`, style.width)
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

function failedAfter(report: RunReport, style: Style): string {
  const { runId } = report
  return `${verdictWith(`run ${runId}`, report, style)} after ${formatSeconds(report.seconds)}`
}

/** ` (run 5h1t8zkq2m, 2 hours ago)` */
function liveRun({ before, finishedAt }: RunReport): string {
  if (before === undefined) return ''
  const seconds = (Date.parse(finishedAt) - Date.parse(before.finishedAt)) / 1000
  return ` (run ${before.runId}, ${formatAge(seconds)})`
}

/** Returns an asset of the failed run that has a table, preferably one whose test failed. */
function keptForALook(report: RunReport): string | undefined {
  const tested = report.assets.find(asset => asset.status === 'test_failed')
  return (tested ?? report.assets.find(asset => asset.status === 'built'))?.name
}

/** Leaves out refused sources, which the failure describes. */
function rejected(report: RunReport, style: Style): string[] {
  const partial = report.rejects.filter(({ refused }) => !refused)
  if (partial.length === 0) return []
  const facts = partial.map(each => `${each.asset} ${rejectText(each)}`).join('; ')
  const look = svcIn(report.environment)('rejects')
  return [...wrap(`Left out by contracts: ${facts}. Look: ${look}`, style.width).map(style.yellow), '']
}

function leftBehind(report: RunReport, style: Style): string[] {
  if (report.leftBehind.length === 0) return []
  const names = report.leftBehind.join(', ')
  const count = countOf(report.leftBehind.length, 'asset reads', 'assets read')
  // After a rollback their builds of before fit; after a run they are built anew.
  const svc = svcIn(report.environment)
  const left = report.leftBehind.join(',')
  const line = report.kind === 'rollback' ? svc(`rollback ${left}`) : svc(`run ${left}`)
  const text = `${count} what changed and stays on the old builds: ${names}. Take them along with: ${line}`
  return [...wrap(text, style.width).map(style.yellow), '']
}
