/**
 * Pull diagnostics: those of a document as soon as its text is checked, those of the workspace in partial
 * results, and a refresh when a client's diagnostics of an open document are out of date.
 */
import {
  type CancellationToken,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  type RelatedFullDocumentDiagnosticReport,
  type RelatedUnchangedDocumentDiagnosticReport,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  WorkspaceDiagnosticRequest,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver'
import { getOrInsertComputed } from '../../language/get-or-insert.ts'
import { type Context, cancelled, guarded } from '../context.ts'
import type { LiveProject } from '../project/live-project.ts'
import type { Home } from '../session.ts'
import type { DiagnosticsChannel } from './push.ts'
import { type FileReport, nothingToTell, reportOf } from './reports.ts'

const filesPerPart = 200
const refreshMs = 50

type DocumentReport = RelatedFullDocumentDiagnosticReport | RelatedUnchangedDocumentDiagnosticReport

export function pullChannel(context: Context): DiagnosticsChannel {
  const { connection, session } = context
  /** The result id that the client last got for each open document. */
  const given = new Map<string, string>()
  const late = lateFiles()
  const news = changeSignal()
  let timer: NodeJS.Timeout | undefined

  connection.onRequest(
    DocumentDiagnosticRequest.type,
    guarded(
      context,
      DocumentDiagnosticRequest.method,
      async ({ textDocument, previousResultId }, token): Promise<DocumentReport> => {
        // An open document has its project already; another may be in a project that is still being searched
        // for.
        if (session.homeOf(textDocument.uri) === undefined) await session.ready()
        const home = session.homeOf(textDocument.uri)
        if (home === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] }
        await home.project.settled(home.path)
        if (token.isCancellationRequested) throw cancelled()
        const report = reportOf(context, home.project, home.path)
        given.set(report.uri, report.resultId)
        return { ...shortened(report, previousResultId), ...related(home) }
      },
    ),
  )

  /** Returns reports of other open documents of the project for which the client has an older result. */
  function related({ project, path }: Home): Pick<DocumentReport, 'relatedDocuments'> {
    if (context.capabilities.textDocument?.diagnostic?.relatedDocumentSupport !== true) return {}
    const others = outdated(project, late.take(project, path))
    for (const { uri, resultId } of others) given.set(uri, resultId)
    if (others.length === 0) return {}
    return { relatedDocuments: Object.fromEntries(others.map(report => [report.uri, shortened(report)])) }
  }

  function outdated(project: LiveProject, paths = project.openPaths()): FileReport[] {
    return [...paths]
      .map(path => reportOf(context, project, path))
      .filter(({ uri, resultId }) => (given.get(uri) ?? resultId) !== resultId)
  }

  connection.onRequest(
    WorkspaceDiagnosticRequest.type,
    guarded(context, WorkspaceDiagnosticRequest.method, (params, token) =>
      tellWorkspace(context, news, params, token),
    ),
  )

  function refreshSoon(): void {
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      const isLate = session.everything().some(project => outdated(project).length > 0)
      if (isLate) connection.languages.diagnostics.refresh().catch(() => undefined)
    }, refreshMs)
  }

  return {
    changed(project, changed) {
      late.add(project, changed.keys())
      news.ring()
      refreshSoon()
    },
  }
}

/** Files whose problems changed since the last answer: to look at every open document with each answer takes their square. */
function lateFiles() {
  const late = new WeakMap<LiveProject, Set<string>>()
  return {
    add(project: LiveProject, paths: Iterable<string>): void {
      const known = getOrInsertComputed(late, project, () => new Set())
      for (const path of paths) known.add(path)
    },
    /** Returns those of them that are open, without the one that is being answered for. */
    take(project: LiveProject, answered: string): readonly string[] {
      const taken = [...(late.get(project) ?? [])].filter(path => path !== answered && project.isOpen(path))
      late.delete(project)
      return taken
    },
  }
}

/**
 * Streams the diagnostics of the workspace. It ends only with an answer to a client without partial results,
 * or when the client cancels.
 */
async function tellWorkspace(
  context: Context,
  news: ChangeSignal,
  { previousResultIds, partialResultToken }: WorkspaceDiagnosticParams,
  token: CancellationToken,
): Promise<WorkspaceDiagnosticReport> {
  const { connection, session } = context
  const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]))
  const cancellation = cancellationOf(token)
  for (;;) {
    const next = news.next()
    // A client with partial results gets what is known; the single answer for another must be complete.
    const isOneAnswer = partialResultToken === undefined
    await Promise.race([isOneAnswer ? allSettled(context) : session.ready(), cancellation])
    if (token.isCancellationRequested) throw cancelled()
    const items = reportsSince(context, known)
    if (items.length > 0 && partialResultToken === undefined) return { items }
    for (const part of parts(items, filesPerPart)) {
      void connection.sendProgress(WorkspaceDiagnosticRequest.partialResult, partialResultToken ?? '', {
        items: part,
      })
    }
    // The request stays open: changes are sent at once, and the client need not poll.
    await Promise.race([next, cancellation])
  }
}

async function allSettled({ session }: Context): Promise<void> {
  await session.ready()
  await Promise.all(session.projects().map(project => project.allSettled()))
}

function shortened(report: FileReport, previous?: string): DocumentReport {
  const { resultId } = report
  if (previous === resultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
  return { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...report.items] }
}

const full = { kind: DocumentDiagnosticReportKind.Full, version: null } as const

/** Returns reports of every file for which the client has another result, and updates `known`. */
function reportsSince(context: Context, known: Map<string, string>): WorkspaceDocumentDiagnosticReport[] {
  const reports: WorkspaceDocumentDiagnosticReport[] = []
  const seen = new Set<string>()
  for (const project of context.session.projects()) {
    for (const path of project.published.paths()) {
      const { uri, resultId, items } = reportOf(context, project, path)
      seen.add(uri)
      if (known.get(uri) === resultId) continue
      known.set(uri, resultId)
      reports.push({ ...full, uri, resultId, items: [...items] })
    }
  }
  for (const uri of known.keys()) {
    if (seen.has(uri)) continue
    known.delete(uri)
    reports.push({ ...full, uri, resultId: nothingToTell, items: [] })
  }
  return reports
}

function parts<T>(items: readonly T[], size: number): T[][] {
  const slices: T[][] = []
  for (let start = 0; start < items.length; start += size) slices.push(items.slice(start, start + size))
  return slices
}

function cancellationOf(token: CancellationToken): Promise<void> {
  return new Promise(resolve => token.onCancellationRequested(() => resolve()))
}

interface ChangeSignal {
  /** Resolves at the next change. */
  next(): Promise<void>
  ring(): void
}

function changeSignal(): ChangeSignal {
  let ring = (): void => {}
  const make = () =>
    new Promise<void>(resolve => {
      ring = resolve
    })
  let next = make()
  return {
    next: () => next,
    ring() {
      const rung = ring
      next = make()
      rung()
    },
  }
}
