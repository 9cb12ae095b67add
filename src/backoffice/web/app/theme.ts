import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
  type MantineThemeOverride,
  mergeThemeOverrides,
} from '@mantine/core';
import type { Language } from '../../../kernel/language.ts';

/** The accent colour. */
const SEA: MantineColorsTuple = [
  '#eff5fc',
  '#dce8f7',
  '#b6d0ee',
  '#8db5e4',
  '#6a9ddb',
  '#4a83cb',
  '#2f69b5',
  '#1f539c',
  '#1a4580',
  '#143663',
];

/** The greys of the dark scheme, from text to background. */
const NIGHT: MantineColorsTuple = [
  '#e4e7ec',
  '#c3c9d3',
  '#a2a9b6',
  '#8f97a6',
  '#3d4450',
  '#333a45',
  '#262c35',
  '#1c2027',
  '#171a20',
  '#111317',
];

/** Keeps the scroll bar while a dialog is open; removing it would shift the page. */
const KEEP_SCROLLBAR = { removeScrollBar: false };
/** Breaks a name without spaces, which would push the close button out of sight. */
const TITLE = { fontWeight: 650, lineHeight: 1.3, overflowWrap: 'anywhere' } as const;
const SYSTEM_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", sans-serif';
const SYSTEM_MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

const THEME = createTheme({
  colors: { sea: SEA, dark: NIGHT },
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily: SYSTEM_FONT,
  fontFamilyMonospace: SYSTEM_MONO,
  headings: { fontFamily: SYSTEM_FONT, fontWeight: '650' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '7px', md: '10px', lg: '14px', xl: '20px' },
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        styles: { title: { ...TITLE, fontSize: '1.15rem' } },
        overlayProps: { backgroundOpacity: 0.35 },
        removeScrollProps: KEEP_SCROLLBAR,
      },
    },
    Drawer: { defaultProps: { styles: { title: TITLE }, removeScrollProps: KEEP_SCROLLBAR } },
    TextInput: { defaultProps: { withAsterisk: false } },
    PasswordInput: { defaultProps: { withAsterisk: false } },
    Textarea: { defaultProps: { autosize: true, minRows: 2 } },
    Loader: { defaultProps: { type: 'dots' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { openDelay: 250 } },
  },
});

/** The accessible names of the library's own buttons, which are English or missing. */
function labels(close: string, clear: string, show: string) {
  const closeButtonProps = { 'aria-label': close };
  return mergeThemeOverrides(THEME, {
    components: {
      Modal: { defaultProps: { closeButtonProps } },
      Drawer: { defaultProps: { closeButtonProps } },
      Notification: { defaultProps: { closeButtonProps } },
      DateInput: { defaultProps: { clearButtonProps: { 'aria-label': clear } } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': show } } },
    },
  });
}

export const THEMES: Record<Language, MantineThemeOverride> = {
  en: labels('Close', 'Clear', 'Show or hide the password'),
  pt: labels('Fechar', 'Limpar', 'Mostrar ou ocultar a palavra-passe'),
};

/** Replaces library colours whose contrast is below 4.5:1 for small text. */
export const variables: CSSVariablesResolver = () => {
  const light: Record<string, string> = {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b2230',
    '--mantine-color-dimmed': '#5a6272',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': SEA[7],
    '--mantine-color-default-border': '#d6d8d4',
  };
  const dark: Record<string, string> = {
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': SEA[3],
  };
  for (const name of [...Object.keys(DEFAULT_THEME.colors), 'sea']) {
    light[`--mantine-color-${name}-light-color`] = `var(--mantine-color-${name}-9)`;
    light[`--mantine-color-${name}-outline`] = `var(--mantine-color-${name}-8)`;
  }
  return { variables: {}, light, dark };
};
