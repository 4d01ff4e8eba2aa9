import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, LANGUAGES, type Language } from '../i18n/i18n.ts'

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** The languages, each in its own words. */
export function LanguageItems() {
  const { t, i18n } = useTranslation()
  const languages = Object.entries(LANGUAGES) as [Language, string][]
  return (
    <>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      {languages.map(([language, name]) => (
        <Menu.Item
          key={language}
          lang={language}
          rightSection={<Mark shown={i18n.language === language} />}
          onClick={() => void chooseLanguage(language)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}

export function SchemeItems() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{t('shell.scheme')}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Menu.Item
          key={scheme}
          rightSection={<Mark shown={colorScheme === scheme} />}
          onClick={() => setColorScheme(scheme)}
        >
          {t(`shell.${scheme}`)}
        </Menu.Item>
      ))}
    </>
  )
}

const Mark = ({ shown }: { shown: boolean }) =>
  shown ? <IconCheck size={16} aria-hidden /> : <span />
