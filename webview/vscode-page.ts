/** The script of the page in a webview of VS Code. */
import type { EditorApi } from './host/editor-link.ts'
import { vscodeHost } from './host/vscode.ts'
import { startDashboard } from './start.ts'

declare function acquireVsCodeApi(): EditorApi

const { root = '', trusted, worker } = document.documentElement.dataset

startDashboard(vscodeHost(acquireVsCodeApi(), { root, canRun: trusted === 'true' }), document.body, worker)
