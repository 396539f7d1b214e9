import 'virtual:report.css';
import '../style/studio.css';
import { render } from 'preact';

const root = document.getElementById('playground');
if (root !== null) render(<main />, root);
