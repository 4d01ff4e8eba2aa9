const FIELDS = 'input:not([disabled], [type="hidden"]), select:not([disabled]), textarea'

/** Gives the focus to the first field when the dialog of the form opens, else its cross has it. */
export const focusFirstField = (form: HTMLFormElement | null): void =>
  form?.querySelector(FIELDS)?.setAttribute('data-autofocus', '')
