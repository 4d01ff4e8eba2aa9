/** The keys of the pages, as their dialog lists them. */

import { useTranslation } from 'react-i18next'
import type { KeyGroup } from '../../parts/keys_help.tsx'
import { KEYS } from '../../parts/viewer/toolbar.tsx'

export function useListKeys(): KeyGroup[] {
  const { t } = useTranslation()
  return [
    {
      title: t('reviews.keys.list'),
      keys: [
        ['j', t('reviews.keys.down')],
        ['k', t('reviews.keys.up')],
        ['Enter', t('reviews.keys.open')],
        ['?', t('reviews.keys.help')],
      ],
    },
  ]
}

/** Keys of the page of one review. */
export function useReviewKeys(): KeyGroup[] {
  const { t } = useTranslation()
  return [
    {
      title: t('reviews.keys.decide'),
      keys: [
        ['a', t('reviews.approve')],
        ['r', t('reviews.reject')],
        ['v', t('reviews.verify')],
        ['d', t('reviews.reject_document')],
        ['o', t('reviews.pass_kyc')],
        ['x', t('reviews.fail_kyc')],
      ],
    },
    {
      title: t('reviews.keys.go'),
      keys: [
        ['j', t('reviews.keys.next_review')],
        ['k', t('reviews.keys.previous_review')],
        ['u', t('reviews.keys.back')],
        ['?', t('reviews.keys.help')],
      ],
    },
    {
      title: t('reviews.keys.look'),
      keys: [
        [']', t('reviews.keys.next_document')],
        ['[', t('reviews.keys.previous_document')],
        [KEYS.next, t('reviews.viewer.next')],
        [KEYS.previous, t('reviews.viewer.previous')],
        [KEYS.larger, t('reviews.viewer.larger')],
        [KEYS.smaller, t('reviews.viewer.smaller')],
        [KEYS.fit, t('reviews.viewer.fit')],
        [KEYS.turn, t('reviews.viewer.turn')],
        [KEYS.turn_back, t('reviews.viewer.turn_back')],
      ],
    },
  ]
}
