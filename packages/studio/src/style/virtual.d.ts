/** The style sheet of the reports, which vite.config.ts takes from `evenhand/report`. */
declare module 'virtual:report.css';
