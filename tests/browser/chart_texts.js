// In a page with charts: which texts, as this browser sets them, leave their chart or meet another text. The lines go
// into <pre id="found">, the last one says how many texts were looked at.
function corners(text) {
	const size = parseFloat(text.getAttribute("font-size")), y = parseFloat(text.getAttribute("y"));
	const box = text.getBBox(), matrix = text.getCTM();
	const top = y - 0.8 * size, bottom = y + 0.22 * size;
	return [[box.x, top], [box.x + box.width, top], [box.x + box.width, bottom], [box.x, bottom]].map(([px, py]) => [
		matrix.a * px + matrix.c * py + matrix.e, matrix.b * px + matrix.d * py + matrix.f]);
}

// Two boxes are apart when their shadows across a side of either are.
function meet(a, b) {
	return [a, b].every((quad) => [0, 1].every((side) => {
		const nx = quad[side + 1][1] - quad[side][1], ny = quad[side][0] - quad[side + 1][0];
		const shadow = (points) => points.map(([x, y]) => x * nx + y * ny);
		const one = shadow(a), other = shadow(b);
		return Math.min(...one) < Math.max(...other) && Math.min(...other) < Math.max(...one);
	}));
}

const found = [];
let looked = 0;
for (const chart of document.querySelectorAll("svg")) {
	const [, , width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
	const texts = [...chart.querySelectorAll("text")].map((text) => {
		const title = text.querySelector("title");
		return { words: text.textContent.slice(title ? title.textContent.length : 0), box: corners(text) };
	});
	looked += texts.length;
	texts.forEach((one, i) => {
		if (one.box.some(([x, y]) => x < 0 || x > width || y < 0 || y > height))
			found.push(`${chart.parentNode.id}: outside: ${one.words}`);
		for (const other of texts.slice(i + 1))
			if (meet(one.box, other.box))
				found.push(`${chart.parentNode.id}: "${one.words}" meets "${other.words}"`);
	});
}
document.getElementById("found").textContent = [...found, `looked at ${looked} texts`].join("\n");
