// What is asked of every page, each function within the page itself.

// WCAG 2 contrast of every text that is to be seen with what is behind it.
export function contrasts() {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	function rgba(text) {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = text;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	}
	function luminance(rgb) {
		const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}
	function ground(element) {
		for (let at = element; at; at = at.parentElement) {
			const rect = at.localName === "svg" && at.querySelector("rect[width='100%']");
			const colour = rgba(rect ? getComputedStyle(rect).fill : getComputedStyle(at).backgroundColor);
			if (colour[3] === 255)
				return colour;
		}
		return rgba(getComputedStyle(document.documentElement).colorScheme === "dark" ? "#000" : "#fff");
	}
	const bad = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let texts = 0;
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true }) ||
			["title", "desc", "option", "script"].includes(element.localName) || element.closest(":disabled"))
			continue;
		texts++;
		const style = getComputedStyle(element);
		const ink = luminance(rgba(element.namespaceURI.endsWith("svg") ? style.fill : style.color));
		const paper = luminance(ground(element));
		const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
		if (ratio < 4.5)
			bad.push(`${walker.currentNode.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
	}
	return { texts, bad: bad.slice(0, 5) };
}

// What a reader would have to move sideways for; drawings of other sizes take turns.
export function hiddenSideways() {
	return [...document.querySelectorAll("td, th, svg, h1, h2, p, .scroll")]
		.filter((at) => at.checkVisibility() && !at.closest(".skip, thead"))
		.filter((at) => at.getBoundingClientRect().right > innerWidth || (at.localName !== "svg" && at.scrollWidth > at.clientWidth + 1))
		.map((at) => `${at.localName} ${at.textContent.trim().slice(0, 40)}`).slice(0, 5);
}

// What paper would cut: it cannot be moved.
export function cutOnPaper() {
	return [...document.querySelectorAll("body *")]
		.filter((at) => at.checkVisibility() && !at.closest(".skip, svg, select, input") && getComputedStyle(at).display !== "inline" &&
			(at.scrollWidth > at.clientWidth + 1 || at.scrollHeight > at.clientHeight + 1) && getComputedStyle(at).overflow !== "visible")
		.map((at) => `${at.localName}#${at.id} ${at.textContent.trim().slice(0, 40)}`).slice(0, 5);
}

// The share of pixels of each drawing that are nearly white, or nothing; the least of them. Null: no drawing.
export function lightOfDrawings() {
	const shares = [...document.querySelectorAll("canvas")].filter((at) => at.checkVisibility() && at.width).map((at) => {
		// A copy, since a drawing that is read often is warned of.
		const pen = new OffscreenCanvas(at.width, at.height).getContext("2d", { willReadFrequently: true });
		pen.drawImage(at, 0, 0);
		const { data } = pen.getImageData(0, 0, at.width, at.height);
		let light = 0;
		for (let i = 0; i < data.length; i += 4)
			light += data[i + 3] === 0 || Math.min(data[i], data[i + 1], data[i + 2]) > 200;
		return (4 * light) / data.length;
	});
	return shares.length ? Math.min(...shares) : null;
}

// What is set smaller than SMALLEST pixels; a drawing scales its texts.
export function smallTexts(smallest) {
	const found = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement, words = walker.currentNode.data.trim();
		if (!words || !element.checkVisibility({ visibilityProperty: true }) || !element.getClientRects().length ||
			["title", "desc", "option", "script"].includes(element.localName))
			continue;
		const matrix = element.namespaceURI.endsWith("svg") && element.getScreenCTM();
		const size = parseFloat(getComputedStyle(element).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
		if (size > 0 && size < smallest - 0.05)
			found.add(`${size.toFixed(1)} px: ${words.slice(0, 40)}`);
	}
	return [...found].slice(0, 5);
}
