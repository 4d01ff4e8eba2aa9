/** The error codes of this slice and their HTTP statuses. */
export const widgetErrors = {
  card_terminated: 409,
  card_not_active: 409,
  /** The token is malformed, unknown, used, expired or of another widget. */
  widget_token_invalid: 404,
  /** A page of another site sent a request of the widget's own page. */
  widget_page_foreign: 403,
} as const
