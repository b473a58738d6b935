/* The wire format of protocol buffers, read through a window that moves along the file. */
#include "ingest/ntff/header/protobuf.h"

static int next_byte(struct protobuf *message, unsigned char *byte, struct error *err)
{
	struct protobuf_source *source = message->source;
	if (message->at >= message->end)
		return error_set(err, ERR_FORMAT,
				 "byte %" PRIu64 ": a field reaches beyond its message",
				 message->at);
	if (message->at < source->window_at ||
	    message->at - source->window_at >= source->window_len) {
		uint64_t left = random_access_size(source->bytes);
		left = message->at < left ? left - message->at : 0;
		size_t len = left < protobuf_window ? (size_t)left : protobuf_window;
		source->window_len = 0;
		if (random_access_read(source->bytes, message->at, source->window, len ? len : 1,
				       err) < 0)
			return -1;
		source->window_at = message->at;
		source->window_len = len;
	}
	*byte = source->window[message->at - source->window_at];
	message->at++;
	return 0;
}

static int next_varint(struct protobuf *message, uint64_t *number, struct error *err)
{
	uint64_t start = message->at;
	*number = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		unsigned char byte = 0;
		if (next_byte(message, &byte, err) < 0)
			return -1;
		if (shift == 63 && byte > 1)
			break;
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return error_set(err, ERR_FORMAT, "byte %" PRIu64 ": a number of more than 64 bits", start);
}

static int next_fixed(struct protobuf *message, unsigned size, uint64_t *number, struct error *err)
{
	*number = 0;
	for (unsigned i = 0; i < size; i++) {
		unsigned char byte = 0;
		if (next_byte(message, &byte, err) < 0)
			return -1;
		*number |= (uint64_t)byte << 8 * i;
	}
	return 0;
}

static int next_bytes(struct protobuf *message, struct protobuf *bytes, struct error *err)
{
	uint64_t len;
	if (next_varint(message, &len, err) < 0)
		return -1;
	if (len > message->end - message->at)
		return error_set(err, ERR_FORMAT,
				 "byte %" PRIu64 ": a field of %" PRIu64
				 " bytes in a message that has %" PRIu64 " left",
				 message->at, len, message->end - message->at);
	*bytes = (struct protobuf){message->source, message->at, message->at + len};
	message->at += len;
	return 0;
}

int protobuf_next(struct protobuf *message, struct protobuf_field *field, struct error *err)
{
	uint64_t start = message->at, key;
	if (message->at >= message->end)
		return 0;
	if (next_varint(message, &key, err) < 0)
		return -1;
	if (key >> 3 == 0 || key >> 3 > 0x1fffffff)
		return error_set(err, ERR_FORMAT, "byte %" PRIu64 ": invalid field number %" PRIu64,
				 start, key >> 3);
	*field = (struct protobuf_field){
		.number = (uint32_t)(key >> 3),
		.wire = (enum ntff_wire)(key & 7),
		.bytes = {message->source, message->at, message->at},
	};
	int rc = -1;
	switch (field->wire) {
	case NTFF_WIRE_NUMBER:
		rc = next_varint(message, &field->value, err);
		break;
	case NTFF_WIRE_64_BITS:
		rc = next_fixed(message, 8, &field->value, err);
		break;
	case NTFF_WIRE_BYTES:
		rc = next_bytes(message, &field->bytes, err);
		break;
	case NTFF_WIRE_32_BITS:
		rc = next_fixed(message, 4, &field->value, err);
		break;
	default:
		error_set(err, ERR_FORMAT,
			  "byte %" PRIu64 ": field %" PRIu32 " is of the unknown wire type %d",
			  start, field->number, (int)field->wire);
	}
	return rc < 0 ? -1 : 1;
}
