/** Two builds of the same version can be told apart: the commit that the bundle was made from. */
declare const __SVC_BUILD__: string | undefined

/** The commit, with `+` where files had changed since; `sources` where no bundle runs, as in tests. */
export const buildId = typeof __SVC_BUILD__ === 'undefined' ? 'sources' : __SVC_BUILD__
