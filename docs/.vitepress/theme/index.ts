// The reader's own fonts: nothing is loaded from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './site.css';

export default DefaultTheme;
