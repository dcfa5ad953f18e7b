/**
 * Style attributes. Many mail programs ignore style sheets, so the style sheet below only adapts mails to dark and
 * narrow screens.
 */
const sans = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ink = 'color:#1b1f23';
const soft = 'color:#59616a';

export const styles = {
  body: `margin:0;padding:0;background:#eef1f3;${ink};${sans};font-size:16px;line-height:24px;-webkit-text-size-adjust:100%`,
  page: 'background:#eef1f3',
  card: 'width:100%;max-width:600px;background:#ffffff;border-radius:8px',
  band: 'height:6px;font-size:0;line-height:6px;border-radius:8px 8px 0 0',
  pad: 'padding:28px 40px',
  name: `margin:0;${ink};${sans};font-size:17px;line-height:24px;font-weight:600`,
  h1: `margin:0 0 16px;${ink};${sans};font-size:24px;line-height:30px;font-weight:700`,
  h2: `margin:28px 0 12px;${ink};${sans};font-size:19px;line-height:26px;font-weight:700`,
  h3: `margin:24px 0 8px;${ink};${sans};font-size:16px;line-height:24px;font-weight:700`,
  text: `margin:0 0 16px;${ink};${sans};font-size:16px;line-height:24px;overflow-wrap:anywhere`,
  status: `display:inline-block;margin:0 0 20px;padding:2px 12px;border-radius:14px;${sans};font-size:14px;line-height:22px;font-weight:600`,
  label: `margin:0;${soft};${sans};font-size:14px;line-height:20px`,
  party: `margin:0 0 20px;${ink};${sans};font-size:16px;line-height:24px;overflow-wrap:anywhere`,
  table: `width:100%;border-collapse:collapse;margin:0 0 24px;${sans}`,
  caption: `padding:0 0 8px;text-align:left;text-align:start;${ink};${sans};font-size:17px;line-height:24px;font-weight:700`,
  term: `padding:8px 16px 8px 0;border-top:1px solid #d5dade;text-align:left;text-align:start;vertical-align:top;${soft};${sans};font-size:15px;line-height:22px;font-weight:400`,
  value: `padding:8px 0;border-top:1px solid #d5dade;text-align:left;text-align:start;vertical-align:top;${ink};${sans};font-size:15px;line-height:22px;font-weight:600;overflow-wrap:anywhere`,
  head: `padding:6px 8px;border-bottom:2px solid #1b1f23;vertical-align:bottom;${soft};${sans};font-size:13px;line-height:18px;font-weight:600`,
  cell: `padding:8px;border-bottom:1px solid #d5dade;vertical-align:top;${ink};${sans};font-size:14px;line-height:20px;font-weight:400;overflow-wrap:break-word`,
  total: `padding:6px 8px;vertical-align:top;text-align:right;text-align:end;${ink};${sans};font-size:14px;line-height:20px;font-weight:400`,
  strong: `padding:8px;vertical-align:top;text-align:right;text-align:end;${ink};${sans};font-size:17px;line-height:24px;font-weight:700`,
  list: `margin:0 0 16px;padding:0 0 0 24px;${ink};${sans};font-size:16px;line-height:24px`,
  notice: `margin:0 0 20px;padding:12px 16px;border-left:4px solid #c99a1d;background:#fffaeb;color:#54400a;${sans};font-size:15px;line-height:22px;overflow-wrap:anywhere`,
  button: `display:inline-block;padding:12px 24px;border-radius:6px;${sans};font-size:16px;line-height:24px;font-weight:600;text-decoration:none`,
  signature: `margin:48px 0 0;padding:6px 0 0;border-top:1px solid #1b1f23;${ink};${sans};font-size:15px;line-height:22px`,
  footer: `margin:0;${soft};${sans};font-size:13px;line-height:20px`,
} as const;

export const tones = {
  neutral: 'background:#eef1f3;color:#3d4750',
  good: 'background:#e3f4e9;color:#14572f',
  warning: 'background:#fdf1d3;color:#684800',
  bad: 'background:#fde7e4;color:#8d1f19',
} as const;

/** The style sheet for narrow screens and for dark screens, where dark text on light becomes light text on dark. */
export const stylesheet = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (max-width:600px){.pad{padding:24px 20px!important}.outer{padding:0!important}.card,.band{border-radius:0!important}.cell{padding:6px 3px!important;font-size:12px!important;line-height:17px!important}.first{padding-left:0!important}.last{padding-right:0!important}.wide{overflow-wrap:anywhere!important}}',
  '@media (prefers-color-scheme:dark){',
  '.page{background:#14171a!important}.card{background:#1f2327!important}',
  '.ink{color:#eceff1!important}.soft{color:#b3bcc4!important}.line{border-color:#434b52!important}',
  '.notice{background:#332b12!important;color:#f5dc9a!important}}',
].join('');
