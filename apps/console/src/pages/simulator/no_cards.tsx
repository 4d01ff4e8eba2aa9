import { Button } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../parts/empty.tsx'

export function NoCards() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={IconCreditCard}
      title={t('simulator.no_cards')}
      text={t('simulator.no_cards_text')}
      action={
        <Button component={Link} to="/first-steps">
          {t('pages.first_steps')}
        </Button>
      }
    />
  )
}
