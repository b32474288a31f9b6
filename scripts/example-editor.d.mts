/** Prepares the example in `folder` for an editor; its web service is there until `close`. */
export function prepareExample(folder: string): Promise<{ folder: string; close: () => Promise<void> }>
