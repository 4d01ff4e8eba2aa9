/** Mantine's theme, made of the tokens (D-592). */

import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'

/**
 * Shades for the parts of Mantine that compute with colors; colors that are seen come from the
 * tokens.
 */
const ACCENT: MantineColorsTuple = [
  '#eef0fe',
  '#dde1fd',
  '#bcc4fa',
  '#98a4f6',
  '#7888f1',
  '#6173ed',
  '#4d60e6',
  '#3d4fd6',
  '#3141b8',
  '#27349a',
]

/** Higher for a finger: app.css. */
const FIELD = { wrapper: { '--input-height-sm': 'var(--field-height)' } }

const DIALOG = {
  overlayProps: { backgroundOpacity: 0.35 },
  styles: {
    header: { background: 'var(--paper)' },
    content: { background: 'var(--paper)' },
    title: { fontSize: 'var(--text-lg)', fontWeight: 600 },
  },
  // The head of a dialog is an element that would be the banner of the page.
  attributes: { header: { role: 'none' } },
}

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'accent',
  colors: { accent: ACCENT },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-md)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)',
  },
  spacing: {
    xs: 'var(--space-2)',
    sm: 'var(--space-3)',
    md: 'var(--space-4)',
    lg: 'var(--space-6)',
    xl: 'var(--space-8)',
  },
  defaultRadius: 'var(--radius-small)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Input: { vars: () => FIELD },
    // Color alone does not show a link within a sentence.
    Anchor: { defaultProps: { underline: 'always' } },
    Button: { defaultProps: { size: 'sm', fw: 500 } },
    Drawer: { defaultProps: DIALOG },
    Modal: { defaultProps: { ...DIALOG, centered: true } },
  },
})

/** Tokens follow the color scheme by themselves, so both schemes have the same values. */
const shared = {
  '--mantine-color-body': 'var(--ground)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--paper)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--accent-soft)',
  '--mantine-color-accent-light-color': 'var(--accent-ink)',
  '--mantine-color-accent-outline': 'var(--accent-ink)',
  '--mantine-color-accent-text': 'var(--accent-ink)',
  '--mantine-color-red-filled': 'var(--danger)',
  '--mantine-color-red-filled-hover': 'var(--danger-hover)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent-ink)',
}

/** Fields, boxes and switches of Mantine take their grounds and edges from its dark shades. */
const dark = {
  '--mantine-color-dark-4': 'color-mix(in srgb, var(--line-strong) 55%, var(--line))',
  '--mantine-color-dark-5': 'var(--line)',
  '--mantine-color-dark-6': 'var(--sunken)',
  '--mantine-color-dark-7': 'var(--ground)',
}

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: { ...shared, ...dark },
})
