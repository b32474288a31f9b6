/** The script of the page in a webview of VS Code. */
import type { EditorApi } from './host/editor-link.ts'
import { vscodeHost } from './host/vscode.ts'
import { startDashboard } from './start.ts'

declare function acquireVsCodeApi(): EditorApi

const { root = '', worker } = document.documentElement.dataset

startDashboard(vscodeHost(acquireVsCodeApi(), root), document.body, worker)
