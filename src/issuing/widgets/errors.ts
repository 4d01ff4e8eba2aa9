import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const widgetErrors = {
  /** The token is malformed, unknown, used, expired or of another widget: one error for all. */
  widget_token_invalid: { status: 404, detail: 'The widget token is unknown, used or expired.' },
  /** A page of another site sends what only the widget's own page may send. */
  widget_page_foreign: {
    status: 403,
    detail: 'The request does not come from the page of the widget.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof widgetErrors> {}
}
