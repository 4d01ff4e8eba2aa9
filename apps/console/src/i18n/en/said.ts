/** Texts of what an action has done. */
export const said = {
  did: '{{what}}: done.',
  now: '{{what}}: done. The status is {{status}} now.',
  ended: '{{what}}: it ended with {{status}}.',
  saved: 'Saved: {{names}}.',
  comma: ', ',
  allowed: '{{what}} is allowed now.',
  not_allowed: '{{what}} is not allowed any more.',
}
