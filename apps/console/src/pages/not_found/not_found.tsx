import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Entrance } from '../../parts/entrance.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Entrance name="not_found" lead={t('states.not_found')}>
      <Button component={Link} to="/home">
        {t('pages.home')}
      </Button>
    </Entrance>
  )
}
